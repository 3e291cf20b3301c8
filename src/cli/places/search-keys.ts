import { emitKeypressEvents, type Key } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { clean } from '../terminal/clean.ts';

export interface SearchState {
  readonly term: string;
  readonly isSearching: boolean;
  /** Enter was pressed last, before the results were there. */
  isEntered: boolean;
}

const ON_RESULTS: readonly (string | undefined)[] = ['up', 'down', 'return', 'enter'];

export function pressEnter(keys: Readable): void {
  keys.emit('keypress', '\r', { name: 'return' } satisfies Key);
}

/**
 * The keys of stdin for inquirer's search, with its faults corrected: an arrow key makes it forget what is typed, a key
 * for results that are not there yet counts as typing, Tab types a result as it is shown, and a search is drawn only at
 * the next key. It reads stdin from resume to pause, as readline does for a question.
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
      // Enter that picks nothing restores the term.
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

/** Invisible characters come with a pasted name. */
function isUnseen(text: string | undefined, { name }: Key): boolean {
  return name === undefined && text !== undefined && text > '\x7f' && clean(text) === '';
}

function isLeaving({ ctrl, name }: Key): boolean {
  return ctrl === true && (name === 'c' || name === 'd');
}
