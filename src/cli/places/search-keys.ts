import { emitKeypressEvents, type Key } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { clean } from '../terminal/clean.ts';

/** What a search question stands at, as far as its keys need to know. */
export interface SearchState {
  /** What is typed. */
  readonly term: string;
  /** Whether the results of it are still awaited. */
  readonly isSearching: boolean;
  /** Whether Enter was pressed last, and before they were there: whoever waits for them knows if it still counts. */
  isEntered: boolean;
}

/** Keys that act on the results. */
const ON_RESULTS: readonly (string | undefined)[] = ['up', 'down', 'return', 'enter'];

/** Presses Enter in what a search question hears. */
export function pressEnter(keys: Readable): void {
  keys.emit('keypress', '\r', { name: 'return' } satisfies Key);
}

/**
 * What inquirer's search is to hear of stdin, and what it does wrong with the rest: it forgets what is typed when
 * an arrow key is pressed, takes keys that act on results that are not there yet for typing, types a result as it
 * is shown on Tab, and draws that it searches only at the key after the one that began it. This hears stdin from when
 * it is resumed until it is paused, as readline does at the beginning and the end of a question.
 */
export function searchKeys(stdin: Readable, state: SearchState): Readable {
  const keys = Object.assign(new PassThrough(), {
    isTTY: 'isTTY' in stdin && stdin.isTTY === true,
    setRawMode(isRaw: boolean) {
      if ('setRawMode' in stdin && typeof stdin.setRawMode === 'function') stdin.setRawMode(isRaw);
    },
  });
  const press = (text: string | undefined, key: Key) => keys.emit('keypress', text, key);
  let isForgotten = false;
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.name === 'tab' || isUnseen(text, key)) return;
    state.isEntered = state.isSearching && (key.name === 'return' || key.name === 'enter');
    if (ON_RESULTS.includes(key.name)) {
      if (state.isSearching) return;
      // Enter that picks nothing writes it anew.
      isForgotten = key.name === 'up' || key.name === 'down';
    } else if (isForgotten && !isLeaving(key)) {
      isForgotten = false;
      for (const character of state.term) press(character, { sequence: character });
    }
    const wasSearching = state.isSearching;
    press(text, key);
    if (state.isSearching && !wasSearching) {
      press(' ', { name: 'space' });
      press(undefined, { name: 'backspace' });
    }
  };
  const onEnd = () => keys.end();
  emitKeypressEvents(stdin);
  keys.on('resume', () => stdin.on('keypress', onKey).on('end', onEnd).resume());
  keys.on('pause', () => stdin.off('keypress', onKey).off('end', onEnd).pause());
  return keys;
}

/** A character that a terminal draws as nothing, or as an order to itself: a name may be pasted with it. */
function isUnseen(text: string | undefined, { name }: Key): boolean {
  return name === undefined && text !== undefined && text > '\x7f' && clean(text) === '';
}

function isLeaving({ ctrl, name }: Key): boolean {
  return ctrl === true && (name === 'c' || name === 'd');
}
