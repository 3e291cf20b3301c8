import type { OperationName } from '../contract/operations.ts';
import { isoTime } from '../contract/time.ts';
import { DAY_MS } from '../contract/values.ts';

/** Server behavior that the specification leaves open (decisions 2, 5, 27 and 28). Undefined means unknown. */
export interface ServerTraits {
  readonly listsJobs?: boolean | undefined;
  readonly pausesJobs?: boolean | undefined;
  readonly resumesJobs?: boolean | undefined;
  readonly honoursIdempotencyKeys?: boolean | undefined;
  /** True if `doctor --remote --write` got the same job for a repeated key, but without an `Idempotency-Status`. */
  readonly honoursKeysUnannounced?: boolean | undefined;
  /** ISO 8601. When a trait was confirmed to be false, or a refusal was first seen. */
  readonly refusedAt?: Readonly<Partial<Record<OptionalTrait, string>>> | undefined;
}

export type OptionalTrait = 'listsJobs' | 'pausesJobs' | 'resumesJobs';

const TRAIT_OF: Partial<Record<OperationName, OptionalTrait>> = {
  listJobs: 'listsJobs',
  pauseJob: 'pausesJobs',
  resumeJob: 'resumesJobs',
};

/** Only these statuses prove that a route is missing. Others may come from a proxy, a sign-in page or a fault. */
const ROUTE_MISSING: readonly number[] = [404, 405, 501];
const REFUSED_FOR_MS = 30 * DAY_MS;

export function isRouteMissing(status: number | undefined): boolean {
  return status !== undefined && ROUTE_MISSING.includes(status);
}

export function currentTraits(traits: ServerTraits, now: number): ServerTraits {
  const outdated = Object.values(TRAIT_OF).filter((trait) => {
    const ageMs = refusalAgeMs(traits, trait, now);
    return traits[trait] === false && !(ageMs >= 0 && ageMs < REFUSED_FOR_MS);
  });
  return { ...traits, ...Object.fromEntries(outdated.map((trait) => [trait, undefined])) };
}

/** Returns the traits after a response. A refusal counts if it's `confirmed`, or was first seen at least a day ago. */
export function updateTraits(
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

/** NaN if no refusal has a date. Negative if the clock was set back. */
function refusalAgeMs({ refusedAt }: ServerTraits, trait: OptionalTrait, now: number): number {
  return now - Date.parse(refusedAt?.[trait] ?? '');
}

export class LearnedTraits {
  /** True after a response that matches the contract. Before that, it may not be the API that responds. */
  isProven = false;
  known: ServerTraits;
  readonly #before: ServerTraits;
  readonly #refused = new Set<OperationName>();

  constructor(
    traits: ServerTraits = {},
    private readonly clock: () => number,
  ) {
    this.#before = currentTraits(traits, clock());
    this.known = this.#before;
  }

  /** The traits, if they have changed and the API has responded. */
  get news(): ServerTraits | undefined {
    return this.isProven && this.known !== this.#before ? this.known : undefined;
  }

  get honoursIdempotencyKeys(): boolean {
    return this.known.honoursIdempotencyKeys === true;
  }

  learn(traits: ServerTraits): void {
    const names = Object.keys(traits) as (keyof ServerTraits)[];
    if (names.some((name) => traits[name] !== this.known[name])) this.known = { ...this.known, ...traits };
  }

  learnOffered(operation: OperationName): void {
    const trait = TRAIT_OF[operation];
    if (trait !== undefined) this.known = updateTraits(this.known, trait, 'offered', this.clock());
  }

  learnRefused(operation: OperationName, status?: number): void {
    const trait = TRAIT_OF[operation];
    const isMissing = isRouteMissing(status);
    if (isMissing && trait !== undefined)
      this.known = updateTraits(this.known, trait, 'refused', this.clock());
    // A refused transition may be allowed for other jobs, so it isn't recorded.
    if (isMissing || operation === 'listJobs') this.#refused.add(operation);
  }

  isRefused(operation: OperationName): boolean {
    return this.#refused.has(operation);
  }

  isOffered(operation: OperationName): boolean | undefined {
    const trait = TRAIT_OF[operation];
    return trait === undefined ? true : !this.#refused.has(operation) && this.known[trait];
  }
}
