import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { LocationInput } from '../../contract/job.ts';
import { LIMITS } from '../../contract/limits.ts';
import { ask } from '../terminal/ask.ts';
import { clean } from '../terminal/clean.ts';
import type { Streams } from '../terminal/streams.ts';
import { painter } from '../terminal/view.ts';
import {
  type Answer,
  type Entry,
  foundEntries,
  isSame,
  remark,
  type Suggestion,
  untypedEntries,
} from './place-entries.ts';
import { pressEnter, type SearchState, searchKeys } from './search-keys.ts';

export interface PlacePicking {
  /** Best first; an error is shown, and typing on searches again. */
  readonly search: (q: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly question: string;
  readonly flag: string;
  readonly many: boolean;
  readonly first?: string | undefined;
  readonly picked?: readonly LocationInput[] | undefined;
  /** Gets all that are picked after each one, so that leaving before the end keeps them. */
  readonly onPicked?: ((places: readonly LocationInput[]) => Promise<void>) | undefined;
}

type WaitFor = (waitMs: number, signal: AbortSignal) => Promise<unknown>;

/** Letters typed faster than this are searched for together. */
const DEBOUNCE_MS = 150;

const PAGE_LINES = 10;

const HELP = 'type to search • ↑↓ move • ⏎ pick';

/**
 * Places picked from the location search, which runs while somebody types: each once, and no more than a listing may
 * name. Throws INTERRUPTED on Ctrl-C, INPUT_REQUIRED where nobody can be asked.
 */
export async function pickPlaces(
  streams: Streams,
  picking: PlacePicking,
  wait: WaitFor = (waitMs, signal) => pause(waitMs, undefined, { signal }),
): Promise<LocationInput[]> {
  const picked: Suggestion[] = (picking.picked ?? []).map(toSuggestion);
  let { first } = picking;
  do {
    const question = picked.length > 0 ? 'Another place' : picking.question;
    const asked = { ...picking, question, first };
    const answer = await new PlaceQuestion(streams, asked, picked, wait).answer();
    if (answer === 'that is all') break;
    if (answer === 'take back') picked.pop();
    else if (!picked.some(isSame(answer))) picked.push(answer);
    await picking.onPicked?.(picked.map(toInput));
    first = undefined;
  } while (picking.many && picked.length < LIMITS.arrayEntries);
  return picked.map(toInput);
}

function toSuggestion(place: LocationInput): Suggestion {
  const { city, stateProvince, country } = place;
  return { ...place, displayName: [city, stateProvince, country].filter(Boolean).join(', ') };
}

function toInput({ locationId, city, stateProvince, country }: Suggestion): LocationInput {
  return { locationId, city, stateProvince, country };
}

class PlaceQuestion implements SearchState {
  term = '';
  isSearching = false;
  isEntered = false;
  /** The search is under way, not only the pause before it. */
  #isSent = false;
  /** The entry at the cursor when it was drawn last. */
  #atCursor = '';
  #keys: Readable | undefined;

  constructor(
    private readonly streams: Streams,
    private readonly picking: PlacePicking,
    private readonly picked: readonly Suggestion[],
    private readonly wait: WaitFor,
  ) {}

  get #columns(): number {
    return this.streams.columnsErr - 2;
  }

  answer(): Promise<Answer> {
    const { question, flag, first } = this.picking;
    return ask(
      this.streams,
      flag,
      {
        type: 'search',
        name: 'answer',
        message: clean(question),
        initialValue: clean(first ?? ''),
        pageSize: PAGE_LINES,
        source: (term = '', { signal }) => this.#results(term, signal),
        theme: { style: this.#style() },
      },
      (stdin) => {
        this.#keys = searchKeys(stdin, this);
        return this.#keys;
      },
    );
  }

  async #results(term: string, signal: AbortSignal): Promise<readonly Entry[]> {
    this.term = term;
    this.isSearching = true;
    this.#isSent = false;
    const entries = await this.#entries(term.trim(), signal);
    // A newer search has begun.
    if (signal.aborted) return [];
    this.isSearching = false;
    this.#isSent = false;
    // Only after the entries are drawn.
    if (this.isEntered && this.#isMeant(entries)) setImmediate(() => this.#keys && pressEnter(this.#keys));
    return entries;
  }

  async #entries(q: string, signal: AbortSignal): Promise<readonly Entry[]> {
    const { picking, picked } = this;
    if (q === '') return picking.many ? untypedEntries(picked, this.#columns) : [];
    try {
      await this.wait(DEBOUNCE_MS, signal);
      signal.throwIfAborted();
      this.#isSent = true;
      const found = await picking.search(q, signal);
      if (found.length > 0) return foundEntries(found, picked, this.#columns);
      return [remark(`no place is called "${q}": type less of it, or only the city`, this.#columns)];
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return [remark(`${message}; type on to search again`, this.#columns)];
    }
  }

  /** Whether Enter, pressed too early, meant the first entry: it was at the cursor, or is the only one. */
  #isMeant([first, ...others]: readonly Entry[]): boolean {
    if (first?.value === undefined) return false;
    return others.length === 0 || first.name === this.#atCursor;
  }

  #style() {
    const paint = painter(this.streams.colourErr);
    return {
      // inquirer would report no results before the search is made.
      error: () => '',
      disabled: (text: string) => paint('dim', `  ${text.trimEnd()}`),
      highlight: (text: string) => {
        this.#atCursor = text.slice(2);
        // An entry of the search before is no result.
        return this.#isSent ? paint('dim', `  ${this.#atCursor}`) : paint('cyan', text);
      },
      keysHelpTip: () => {
        const help = this.streams.goesBack ? `${HELP} • Esc back` : HELP;
        return paint('dim', this.#isSent ? 'searching…' : help);
      },
    };
  }
}
