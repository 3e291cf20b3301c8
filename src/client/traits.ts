import type { OperationName } from '../contract/operations.ts';

/** What a server does where the specification is silent (decisions 2, 5 and 27); what is absent is not known. */
export interface ServerTraits {
  readonly listsJobs?: boolean | undefined;
  readonly pausesJobs?: boolean | undefined;
  readonly resumesJobs?: boolean | undefined;
  readonly honoursIdempotencyKeys?: boolean | undefined;
  /** One job under one key, as `doctor --remote --write` has tried, although no answer says so. */
  readonly honoursKeysUnannounced?: boolean | undefined;
}

const TRAIT_OF: Partial<Record<OperationName, keyof ServerTraits>> = {
  listJobs: 'listsJobs',
  pauseJob: 'pausesJobs',
  resumeJob: 'resumesJobs',
};

/** `onLearn` is not called before an answer was the contract's own: something other than the API may be answering. */
export class LearnedTraits {
  /** True once an answer was one of the contract's: it is the API that answers here, and it takes the key. */
  isProven = false;
  #hasNews = false;

  constructor(
    public known: ServerTraits = {},
    private readonly onLearn?: (traits: ServerTraits) => void,
  ) {}

  get honoursIdempotencyKeys(): boolean {
    return this.known.honoursIdempotencyKeys === true;
  }

  prove(): void {
    this.isProven = true;
    this.#announce();
  }

  learn(traits: ServerTraits): void {
    const names = Object.keys(traits) as (keyof ServerTraits)[];
    if (names.every((name) => traits[name] === this.known[name])) return;
    this.known = { ...this.known, ...traits };
    this.#hasNews = true;
    this.#announce();
  }

  learnOffered(operation: OperationName, isOffered: boolean): void {
    const trait = TRAIT_OF[operation];
    if (trait !== undefined) this.learn({ [trait]: isOffered });
  }

  isOffered(operation: OperationName): boolean | undefined {
    const trait = TRAIT_OF[operation];
    return trait === undefined ? true : this.known[trait];
  }

  #announce(): void {
    if (!this.#hasNews || !this.isProven) return;
    this.#hasNews = false;
    this.onLearn?.(this.known);
  }
}
