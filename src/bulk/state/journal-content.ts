import type { IntentLine, JournalLine, Move, OutcomeLine, RunLine } from './journal-line.ts';
import type { BulkState, Intent, StateEntry } from './state.ts';

type StateChange = Extract<OutcomeLine, { kind: 'made' | 'entry' | 'moves' | 'forget' }>;

const CHANGES: readonly JournalLine['kind'][] = [
  'made',
  'entry',
  'moves',
  'forget',
] satisfies StateChange['kind'][];

/** What the lines of a journal come to. */
export interface JournalContent {
  /** In the order in which they came. */
  readonly changes: readonly StateChange[];
  /** The creates whose outcome is not known, by listing key. */
  readonly pending: ReadonlyMap<string, Intent>;
  /** True where the server has shown that it honours the idempotency key. */
  readonly honours: boolean;
  /** When the first of its runs began, in epoch ms; undefined where none has. */
  readonly startedAt: number | undefined;
  /** The `stateDigest` of each state that it may lie beside: as the last run found it and, from then on, left it. */
  readonly states: readonly string[];
}

/** Takes a journal's lines one by one; of an intent it keeps the body only until its outcome is known. */
export class JournalLines implements JournalContent {
  readonly changes: StateChange[] = [];
  readonly pending = new Map<string, Intent>();
  honours = false;
  startedAt: number | undefined;
  states: readonly string[] = [];
  private keyDigest: string | undefined;

  take(line: JournalLine): void {
    if (line.kind === 'run') this.begin(line);
    else if (line.kind === 'intent') this.expect(line);
    else this.learn(line);
  }

  private begin({ at, state, keyDigest }: RunLine): void {
    this.startedAt ??= at;
    this.keyDigest = keyDigest;
    this.states = state === undefined ? [] : [state];
  }

  private expect({ kind: _, ...intent }: IntentLine): void {
    const { keyDigest } = this;
    this.pending.set(intent.key, keyDigest === undefined ? intent : { ...intent, keyDigest });
  }

  private learn(line: OutcomeLine): void {
    if (line.kind === 'honours') this.honours = true;
    else if (line.kind === 'folded') this.states = [...this.states, line.state];
    else if ('idempotencyKey' in line) this.settle(line);
    if (isChange(line)) this.changes.push(line);
  }

  /** An outcome of an intent that another has taken the place of says nothing of that one. */
  private settle({ key, idempotencyKey }: { readonly key: string; readonly idempotencyKey: string }): void {
    if (this.pending.get(key)?.idempotencyKey === idempotencyKey) this.pending.delete(key);
  }
}

/**
 * The state with what a journal has learned since. Folding the same journal in again changes nothing. A job
 * belongs to one listing: who claims it last has it.
 */
export function folded(state: BulkState, { changes, honours }: JournalContent): BulkState {
  const listings = new Listings(state.listings);
  for (const change of changes) {
    if (change.kind === 'forget') listings.forget(change.key, change.job);
    else if (change.kind === 'moves') listings.move(change.moves);
    else listings.remember(change.key, change.entry);
  }
  return {
    ...state,
    honoursIdempotencyKeys: state.honoursIdempotencyKeys || honours,
    listings: listings.entries,
  };
}

function isChange(line: OutcomeLine): line is StateChange {
  return CHANGES.includes(line.kind);
}

class Listings {
  readonly entries: Map<string, StateEntry>;
  private readonly keyOf = new Map<number, string>();

  constructor(entries: BulkState['listings']) {
    this.entries = new Map(entries);
    for (const [key, { job }] of entries) this.keyOf.set(job, key);
  }

  forget(key: string, job?: number): void {
    const entry = this.entries.get(key);
    if (entry === undefined || (job !== undefined && entry.job !== job)) return;
    this.entries.delete(key);
    this.keyOf.delete(entry.job);
  }

  /** All leave their old keys before any takes its new one: some may have changed places. */
  move(moves: readonly Move[]): void {
    for (const { was, entry } of moves) this.forget(was, entry.job);
    for (const { key, entry } of moves) this.remember(key, entry);
  }

  remember(key: string, entry: StateEntry): void {
    const owner = this.keyOf.get(entry.job);
    if (owner !== undefined) this.forget(owner);
    this.forget(key);
    this.entries.set(key, entry);
    this.keyOf.set(entry.job, key);
  }
}
