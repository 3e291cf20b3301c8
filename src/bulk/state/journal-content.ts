import type { JournalLine, OutcomeLine } from './journal-line.ts';
import type { BulkState, Intent, StateEntry } from './state.ts';

type StateChange = Extract<OutcomeLine, { kind: 'made' | 'entry' | 'moves' | 'forget' }>;

export type JournalContent = Omit<JournalLines, 'take'>;

/** Takes a journal's lines one by one; of an intent it keeps the body only until its outcome is known. */
export class JournalLines {
  readonly changes: StateChange[] = [];
  readonly pending = new Map<string, Intent>();
  honours = false;
  /** When the first of its runs began, in epoch ms; undefined where none has. */
  startedAt: number | undefined;
  /** The `stateDigest` of each state that it may lie beside: as the last run found it and, from then on, left it. */
  states: readonly string[] = [];
  #keyDigest: string | undefined;

  take(line: JournalLine): void {
    // An outcome of an intent that another has taken the place of says nothing of that one.
    if ('idempotencyKey' in line && this.pending.get(line.key)?.idempotencyKey === line.idempotencyKey)
      this.pending.delete(line.key);
    switch (line.kind) {
      case 'run':
        this.startedAt ??= line.at;
        this.#keyDigest = line.keyDigest;
        this.states = line.state === undefined ? [] : [line.state];
        break;
      case 'intent': {
        const { kind: _, ...intent } = line;
        const keyDigest = this.#keyDigest;
        this.pending.set(intent.key, keyDigest === undefined ? intent : { ...intent, keyDigest });
        break;
      }
      case 'honours':
        this.honours = true;
        break;
      case 'folded':
        this.states = [...this.states, line.state];
        break;
      case 'made':
      case 'entry':
      case 'moves':
      case 'forget':
        this.changes.push(line);
    }
  }
}

/** Folding the same journal in again changes nothing. A job belongs to one listing: who claims it last has it. */
export function folded(state: BulkState, { changes, honours }: JournalContent): BulkState {
  const listings = new Map(state.listings);
  const keyOf = new Map(Array.from(listings, ([key, { job }]) => [job, key]));
  const forget = (key: string, job?: number): void => {
    const entry = listings.get(key);
    if (entry === undefined || (job !== undefined && entry.job !== job)) return;
    listings.delete(key);
    keyOf.delete(entry.job);
  };
  const remember = (key: string, entry: StateEntry): void => {
    const owner = keyOf.get(entry.job);
    if (owner !== undefined) forget(owner);
    forget(key);
    listings.set(key, entry);
    keyOf.set(entry.job, key);
  };
  for (const change of changes) {
    if (change.kind === 'forget') forget(change.key, change.job);
    else if (change.kind === 'moves') {
      // All leave their old keys before any takes its new one: some may have changed places.
      for (const { was, entry } of change.moves) forget(was, entry.job);
      for (const { key, entry } of change.moves) remember(key, entry);
    } else remember(change.key, change.entry);
  }
  return { ...state, honoursIdempotencyKeys: state.honoursIdempotencyKeys || honours, listings };
}
