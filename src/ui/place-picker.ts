import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { LocationInput, LocationSuggestion } from '../contract/job.ts';
import { LIMITS } from '../contract/limits.ts';
import { ask } from './ask.ts';
import { clean } from './clean.ts';
import { painter } from './paint.ts';
import { pressEnter, searchKeys } from './search-keys.ts';
import type { Streams } from './streams.ts';
import { grouped } from './views/words.ts';
import { shorten, widthOf, wrap } from './width.ts';

type Suggestion = LocationSuggestion & { readonly population?: number | undefined };

export interface PlacePicking {
  /** The location search, best first; what it throws is shown, and typing on searches again. */
  readonly search: (q: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly question: string;
  /** What answers it where nobody can be asked. */
  readonly flag: string;
  /** Several places, one after another, until nothing is typed. */
  readonly many: boolean;
  /** What is typed to begin with. */
  readonly first?: string | undefined;
}

/** Waits; rejects when the signal is aborted. */
type WaitFor = (waitMs: number, signal: AbortSignal) => Promise<unknown>;

/** Typing faster than this sends no search for each letter. */
const DEBOUNCE_MS = 150;

const PAGE_LINES = 10;

const MOST_PLACES = LIMITS.arrayEntries;

type Answer = Suggestion | 'that is all' | 'take back';

interface Entry {
  readonly name: string;
  readonly value: Answer | undefined;
  readonly short?: string;
  readonly description?: string;
  readonly disabled?: string;
}

/**
 * Places picked from the location search, which runs while somebody types: those of section 2.3, each once,
 * none where nothing was picked. Throws INTERRUPTED on Ctrl-C, INPUT_REQUIRED where nobody can be asked.
 */
export async function pickPlaces(
  streams: Streams,
  picking: PlacePicking,
  wait: WaitFor = (waitMs, signal) => pause(waitMs, undefined, { signal }),
): Promise<LocationInput[]> {
  const picked: Suggestion[] = [];
  let { question, first } = picking;
  do {
    const answer = await askPlace(streams, { ...picking, question, first }, picked, wait);
    if (answer === 'that is all') break;
    if (answer === 'take back') picked.pop();
    else if (!picked.some(isSame(answer))) picked.push(answer);
    [question, first] = [picked.length > 0 ? 'Another place' : picking.question, undefined];
  } while (picking.many && picked.length < MOST_PLACES);
  return picked.map(({ locationId, city, stateProvince, country }) => {
    return { locationId, city, stateProvince, country };
  });
}

async function askPlace(
  streams: Streams,
  picking: PlacePicking,
  picked: readonly Suggestion[],
  wait: WaitFor,
): Promise<Answer> {
  const { question, flag, many, first } = picking;
  const paint = painter(streams.colourErr);
  const columns = streams.columnsErr - 2;
  const state = { term: '', isSearching: false, isSlow: false, isEntered: false, atCursor: '' };
  let keys: Readable | undefined;

  async function entriesOf(term: string, signal: AbortSignal): Promise<Entry[]> {
    if (term.trim() === '') return many ? standing(picked, columns) : [];
    try {
      await wait(DEBOUNCE_MS, signal);
      signal.throwIfAborted();
      state.isSlow = true;
      const found = await picking.search(term.trim(), signal);
      if (found.length > 0) return found.map((place) => entry(place, found, picked, columns));
      return [line(`no place is called "${term.trim()}": type less of it, or only the city`, columns)];
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return [line(`${message}; type on to search again`, columns)];
    }
  }

  return ask(
    streams,
    flag,
    {
      type: 'search',
      name: 'answer',
      message: clean(question),
      pageSize: PAGE_LINES,
      ...(first === undefined ? {} : { initialValue: clean(first) }),
      async source(term = '', { signal }) {
        Object.assign(state, { term, isSearching: true, isSlow: false });
        const entries = await entriesOf(term, signal);
        // A search that was overtaken says nothing of the one that overtook it.
        if (signal.aborted) return [];
        Object.assign(state, { isSearching: false, isSlow: false });
        // Enter meant what the cursor stood at, or the one place of that name; and the entries are drawn first.
        const isMeant = isOnlyPlace(entries) || entries[0]?.name === state.atCursor;
        if (state.isEntered && isMeant) setImmediate(() => keys && pressEnter(keys));
        return entries;
      },
      theme: {
        style: {
          // It says so before the search is made; a search that finds nothing has an entry that says so.
          error: () => '',
          disabled: (text: string) => paint('dim', `  ${text.trimEnd()}`),
          // What still stands there is not what is picked once the search has ended.
          highlight: (text: string) => {
            state.atCursor = text.slice(2);
            return state.isSlow ? paint('dim', `  ${state.atCursor}`) : paint('cyan', text);
          },
          keysHelpTip: () => paint('dim', state.isSlow ? 'searching…' : HELP),
        },
      },
    },
    (stdin) => {
      keys = searchKeys(stdin, state);
      return keys;
    },
  );
}

const HELP = 'type to search • ↑↓ move • ⏎ pick';

/** What can be picked while nothing is typed: the way out first, then the way back, then what there is. */
function standing(picked: readonly Suggestion[], columns: number): Entry[] {
  const last = picked.at(-1);
  if (last === undefined) return [{ name: 'none for now', value: 'that is all' }];
  return [
    {
      name: `that is all (${picked.length} ${picked.length === 1 ? 'place' : 'places'})`,
      value: 'that is all',
    },
    {
      name: shorten(`take back ${nameOf(last)}`, columns),
      value: 'take back',
      short: `took back ${nameOf(last)}`,
    },
    ...picked.map((place) => line(`✓ ${nameOf(place)}`, columns)),
  ];
}

/** A place as it is offered: what tells it from its namesakes is never shortened. */
function entry(
  place: Suggestion,
  found: readonly Suggestion[],
  picked: readonly Suggestion[],
  columns: number,
): Entry {
  const name = nameOf(place);
  const namesakes = found.filter((other) => nameOf(other) === name);
  const facts = [
    grouped(place.population),
    namesakes.length > 1 ? `id ${place.locationId}` : undefined,
    picked.some(isSame(place)) ? 'picked' : undefined,
  ];
  const tail = facts.map((fact) => (fact === undefined ? '' : ` · ${clean(fact)}`)).join('');
  const shown = shorten(name, columns - widthOf(tail)) + tail;
  const whole = wrap(name + tail, columns).join('\n');
  return { name: shown, value: place, short: name, ...(shown === whole ? {} : { description: whole }) };
}

/** A line that says something and cannot be picked. */
function line(text: string, columns: number): Entry {
  return { name: wrap(clean(text), columns).join('\n  '), value: undefined, disabled: ' ' };
}

function nameOf({ city, stateProvince, country }: Suggestion): string {
  return [city, stateProvince, country].map(clean).filter(Boolean).join(', ');
}

function isOnlyPlace([entry, ...others]: readonly Entry[]): boolean {
  return entry?.value !== undefined && others.length === 0;
}

function isSame({ locationId }: Suggestion): (place: Suggestion) => boolean {
  return (place) => place.locationId === locationId;
}
