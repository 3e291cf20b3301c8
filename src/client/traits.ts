import type { OperationName } from '../contract/operations.ts';
import { isoTime } from '../contract/time.ts';
import { DAY_MS } from '../contract/values.ts';

/** What a server does where the specification is silent (decisions 2, 5, 27 and 28); what is absent is not known. */
export interface ServerTraits {
  readonly listsJobs?: boolean | undefined;
  readonly pausesJobs?: boolean | undefined;
  readonly resumesJobs?: boolean | undefined;
  readonly honoursIdempotencyKeys?: boolean | undefined;
  /** One job under one key, as `doctor --remote --write` has tried, although no answer says so. */
  readonly honoursKeysUnannounced?: boolean | undefined;
  /** ISO 8601: when a trait that is false was confirmed, or when a refusal of another was first seen. */
  readonly refusedAt?: Readonly<Partial<Record<OptionalTrait, string>>> | undefined;
}

export type OptionalTrait = 'listsJobs' | 'pausesJobs' | 'resumesJobs';

const TRAIT_OF: Partial<Record<OperationName, OptionalTrait>> = {
  listJobs: 'listsJobs',
  pauseJob: 'pausesJobs',
  resumeJob: 'resumesJobs',
};

/** Only these prove that a route is missing. Others may come from a proxy, a sign-in page or a fault. */
const ROUTE_MISSING: readonly number[] = [404, 405, 501];
const REFUSED_FOR_MS = 30 * DAY_MS;

export function isRouteMissing(status: number | undefined): boolean {
  return status !== undefined && ROUTE_MISSING.includes(status);
}

/** Drops refusals that are older than 30 days or have no date. */
export function currentTraits(traits: ServerTraits, now: number): ServerTraits {
  const outdated = Object.values(TRAIT_OF).filter((trait) => {
    const ageMs = refusalAgeMs(traits, trait, now);
    return traits[trait] === false && !(ageMs >= 0 && ageMs < REFUSED_FOR_MS);
  });
  return { ...traits, ...Object.fromEntries(outdated.map((trait) => [trait, undefined])) };
}

/** The traits after a response. A refusal counts if it's `confirmed`, or was first seen a day ago or earlier. */
export function traitsAfter(
  known: ServerTraits,
  trait: OptionalTrait,
  answer: 'offered' | 'refused' | 'confirmed',
  now: number,
): ServerTraits {
  const { [trait]: date, ...others } = known.refusedAt ?? {};
  const { refusedAt: _, ...rest } = known;
  if (answer === 'offered') {
    if (known[trait] === true && date === undefined) return known;
    const isEmpty = Object.keys(others).length === 0;
    return { ...rest, [trait]: true, ...(isEmpty ? {} : { refusedAt: others }) };
  }
  const ageMs = refusalAgeMs(known, trait, now);
  if (answer === 'refused' && ageMs >= 0 && ageMs < DAY_MS) return known;
  const isKnown = answer === 'confirmed' || ageMs >= DAY_MS;
  return { ...rest, ...(isKnown ? { [trait]: false } : {}), refusedAt: { ...others, [trait]: isoTime(now) } };
}

/** NaN if no refusal has a date; negative if a clock was set back. */
function refusalAgeMs({ refusedAt }: ServerTraits, trait: OptionalTrait, now: number): number {
  return now - Date.parse(refusedAt?.[trait] ?? '');
}

/** `onLearn` is not called before an answer was the contract's own: something other than the API may be answering. */
export class LearnedTraits {
  /** True once an answer was one of the contract's: it is the API that answers here, and it takes the key. */
  isProven = false;
  known: ServerTraits;
  #hasNews = false;
  /** Not requested again in this run. */
  readonly #refused = new Set<OperationName>();

  constructor(
    traits: ServerTraits = {},
    private readonly clock: () => number,
    private readonly onLearn?: (traits: ServerTraits) => void,
  ) {
    this.known = currentTraits(traits, clock());
  }

  get honoursIdempotencyKeys(): boolean {
    return this.known.honoursIdempotencyKeys === true;
  }

  prove(): void {
    this.isProven = true;
    this.#announce();
  }

  learn(traits: ServerTraits): void {
    const names = Object.keys(traits) as (keyof ServerTraits)[];
    if (names.some((name) => traits[name] !== this.known[name])) this.#keep({ ...this.known, ...traits });
  }

  learnOffered(operation: OperationName): void {
    const trait = TRAIT_OF[operation];
    if (trait !== undefined) this.#keep(traitsAfter(this.known, trait, 'offered', this.clock()));
  }

  learnRefused(operation: OperationName, status?: number): void {
    const trait = TRAIT_OF[operation];
    const isMissing = isRouteMissing(status);
    if (isMissing && trait !== undefined) this.#keep(traitsAfter(this.known, trait, 'refused', this.clock()));
    // A transition may be refused for one job.
    if (isMissing || operation === 'listJobs') this.#refused.add(operation);
  }

  isRefused(operation: OperationName): boolean {
    return this.#refused.has(operation);
  }

  isOffered(operation: OperationName): boolean | undefined {
    const trait = TRAIT_OF[operation];
    return trait === undefined ? true : !this.#refused.has(operation) && this.known[trait];
  }

  #keep(traits: ServerTraits): void {
    if (traits === this.known) return;
    this.known = traits;
    this.#hasNews = true;
    this.#announce();
  }

  #announce(): void {
    if (!this.#hasNews || !this.isProven) return;
    this.#hasNews = false;
    this.onLearn?.(this.known);
  }
}
