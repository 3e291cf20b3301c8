import { emitKeypressEvents, type Key } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { DistinctQuestion } from 'inquirer';
import type { PartnerError } from '../../contract/errors.ts';
import type { LocationInput } from '../../contract/job.ts';
import { LIMITS } from '../../contract/values.ts';
import { formatCount, formatNumber } from '../../contract/words.ts';
import { locationInput } from '../../places/decide/locations.ts';
import { ask } from '../terminal/ask.ts';
import type { Streams } from '../terminal/streams.ts';
import { clean, painter } from '../terminal/view.ts';
import { getWidth, shorten, wrap } from '../terminal/width.ts';

type Place = LocationInput & { readonly population?: number | undefined };
type Answer = Place | 'that is all' | 'take back';

export interface PlacePicking {
  readonly search: (q: string, signal: AbortSignal) => Promise<readonly Place[]>;
  readonly question: string;
  readonly flag: string;
  readonly many: boolean;
  readonly first?: string | undefined;
  readonly picked?: readonly LocationInput[] | undefined;
  readonly onPicked?: ((places: readonly LocationInput[]) => Promise<void>) | undefined;
}

const DEBOUNCE_MS = 150;

/** Lets the user pick places while typing. Throws INTERRUPTED on Ctrl-C, and INPUT_REQUIRED without a terminal. */
export async function pickPlaces(streams: Streams, picking: PlacePicking, debounceMs = DEBOUNCE_MS) {
  const { search, flag, many, onPicked } = picking;
  const picked: Place[] = [...(picking.picked ?? [])];
  const columns = streams.columnsErr - 2;
  const state = { term: '', isSearching: false };
  const entries = async (q: string, signal: AbortSignal) => {
    if (q === '') return many ? formatPickedEntries(picked, columns) : [];
    try {
      await pause(debounceMs, undefined, { signal });
      const found = await search(q, signal);
      if (found.length > 0) return formatFoundEntries(found, picked, columns);
      return [remark(`no place matches "${q}". Type fewer letters, or only the city`, columns)];
    } catch (error) {
      const { message, hint = 'keep typing to search again' } = error as PartnerError;
      return [remark(`${message}; ${hint}`, columns)];
    }
  };
  let { first = '' } = picking;
  do {
    const question: DistinctQuestion = {
      type: 'search',
      name: 'answer',
      message: clean(picked.length > 0 ? 'Another place' : picking.question),
      initialValue: clean(first),
      pageSize: 10,
      source: async (term = '', { signal }) => {
        Object.assign(state, { term, isSearching: true });
        const found = await entries(clean(term).trim(), signal);
        if (!signal.aborted) state.isSearching = false;
        return found;
      },
      theme: { style: createStyle(streams) },
    };
    const answer = await ask<Answer>(streams, flag, question, (stdin) => searchKeys(stdin, state));
    if (answer === 'that is all') break;
    if (answer === 'take back') picked.pop();
    else if (!picked.some(isSame(answer))) picked.push(answer);
    await onPicked?.(picked.map(locationInput));
    first = '';
  } while (many && picked.length < LIMITS.arrayEntries);
  return picked.map(locationInput);
}

/**
 * Filters the keys for inquirer's search, because of two bugs. Enter would pick an outdated result during a search, and
 * arrow keys would clear the typed text. Like readline, reads stdin from resume to pause.
 */
function searchKeys(stdin: Readable, state: { readonly term: string; readonly isSearching: boolean }) {
  const keys = Object.assign(new PassThrough(), {
    isTTY: 'isTTY' in stdin && stdin.isTTY === true,
    setRawMode(isRaw: boolean) {
      if ('setRawMode' in stdin && typeof stdin.setRawMode === 'function') stdin.setRawMode(isRaw);
    },
  });
  let isForgotten = false;
  const onKey = (text: string | undefined, key: Key): void => {
    const isMove = key.name === 'up' || key.name === 'down';
    const isEnter = key.name === 'return' || key.name === 'enter';
    if (key.name === 'tab' || (state.isSearching && (isMove || isEnter))) return;
    if (isForgotten && !isMove && !isEnter) {
      for (const character of state.term) keys.emit('keypress', character, { sequence: character });
    }
    isForgotten = isMove;
    keys.emit('keypress', text, key);
  };
  const onEnd = () => keys.end();
  emitKeypressEvents(stdin);
  keys.on('resume', () => stdin.on('keypress', onKey).on('end', onEnd).resume());
  keys.on('pause', () => stdin.off('keypress', onKey).off('end', onEnd).pause());
  return keys;
}

function createStyle({ colourErr, goesBack }: Streams) {
  const paint = painter(colourErr);
  return {
    // Prevents inquirer from reporting no results before the search.
    error: () => '',
    disabled: (text: string) => paint('dim', `  ${text.trimEnd()}`),
    keysHelpTip: () => paint('dim', `type to search • ↑↓ move • ⏎ select${goesBack ? ' • Esc back' : ''}`),
  };
}

/** Formats places to `columns`. Never shortens the part that distinguishes places with the same name. */
function formatFoundEntries(found: readonly Place[], picked: readonly Place[], columns: number) {
  return found.map((place) => {
    const name = formatPlaceName(place);
    const namesakes = found.filter((other) => formatPlaceName(other) === name);
    const facts = [
      place.population === undefined ? undefined : formatNumber(place.population),
      namesakes.length > 1 ? `id ${place.locationId}` : undefined,
      picked.some(isSame(place)) ? 'selected' : undefined,
    ];
    const tail = facts.map((fact) => (fact === undefined ? '' : ` · ${clean(fact)}`)).join('');
    const shown = shorten(name, columns - getWidth(tail)) + tail;
    const whole = wrap(name + tail, columns).join('\n');
    return { name: shown, value: place, short: name, ...(shown === whole ? {} : { description: whole }) };
  });
}

function formatPickedEntries(picked: readonly Place[], columns: number) {
  const last = picked.at(-1);
  if (last === undefined) return [{ name: 'none for now', value: 'that is all' }];
  const back = formatPlaceName(last);
  return [
    { name: `done (${formatCount(picked.length, 'place')})`, value: 'that is all' },
    { name: shorten(`remove ${back}`, columns), value: 'take back', short: `removed ${back}` },
    ...picked.map((place) => remark(`✓ ${formatPlaceName(place)}`, columns)),
  ];
}

function remark(text: string, columns: number) {
  return { name: wrap(clean(text), columns).join('\n  '), value: undefined, disabled: ' ' };
}

function isSame({ locationId }: Place) {
  return (place: Place) => place.locationId === locationId;
}

function formatPlaceName({ city, stateProvince, country }: Place): string {
  return [city, stateProvince, country].map(clean).filter(Boolean).join(', ');
}
