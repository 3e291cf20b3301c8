import { keepLearned } from '../../cli/settings/profiles.ts';
import type { RemoteTarget, Target } from '../../cli/settings/target.ts';
import { isJson, unreadable } from '../../client/decode.ts';
import type { Answer, Probe, ProbeRequest } from '../../client/exchange.ts';
import { currentTraits, type OptionalTrait, type ServerTraits, traitsAfter } from '../../client/traits.ts';
import { PartnerError } from '../../contract/errors.ts';
import { type Check, type Clocks, checkOf, type Look } from './checks.ts';

/** The longest that one call, and all the reads or all the writes, may take where no other time is given. */
const CALL_MS = 10_000;
const PART_MS = 60_000;

/** A server that is examined: each look is a line, and each call is bounded. */
export class Examination {
  readonly checks: Check[] = [];
  traits: ServerTraits;
  locationQueryParameter: string | undefined;
  readonly #durationsMs: number[] = [];
  #endsAtMs = 0;

  constructor(
    readonly target: RemoteTarget,
    readonly clocks: Clocks,
    private readonly probe: Probe,
    private readonly timeoutMs = CALL_MS,
    private readonly isWriting = false,
  ) {
    this.traits = currentTraits(target.traits ?? {}, clocks.clock());
    this.beginPart();
  }

  /** Reads and writes have a minute each: slow reads must not cut off the write of a draft. */
  beginPart(): void {
    this.#endsAtMs = this.clocks.monotonicNow() + Math.max(PART_MS, 6 * this.timeoutMs);
  }

  /** Sends one request. Throws TIMED_OUT, also if earlier requests used up the time, and ANSWER_UNREADABLE for a web page. */
  async ask(request: Omit<ProbeRequest, 'timeoutMs'>): Promise<Answer> {
    const startedAtMs = this.clocks.monotonicNow();
    const timeoutMs = Math.min(this.timeoutMs, this.#endsAtMs - startedAtMs);
    if (timeoutMs <= 0) {
      throw new PartnerError('TIMED_OUT', { message: 'not looked at: the server is too slow for all of it' });
    }
    const answer = await this.probe({ ...request, timeoutMs });
    this.#durationsMs.push(this.clocks.monotonicNow() - startedAtMs);
    if (answer.status < 300 && answer.text.trim() !== '' && !isJson(answer)) {
      throw unreadable(answer, 'something other than the API');
    }
    return answer;
  }

  /** For a route that need not exist: a redirect that is not followed is an answer like any other. */
  async askOptional(request: Omit<ProbeRequest, 'timeoutMs'>): Promise<Answer> {
    try {
      return await this.ask(request);
    } catch (error) {
      if (!(error instanceof PartnerError) || error.status === undefined || error.status < 300) throw error;
      const { method, path: url } = request;
      return { method, url, status: error.status, headers: new Headers(), text: '' };
    }
  }

  /** Looks at one thing; an error becomes its line. True where all is as it should be. */
  async look(name: string, at: () => Promise<Look> | Look): Promise<boolean> {
    const check = await checkOf(name, at);
    this.checks.push(check);
    return check.exit === undefined;
  }

  learn(traits: ServerTraits): void {
    this.traits = { ...this.traits, ...traits };
  }

  learnAnswer(trait: OptionalTrait, isOffered: boolean): void {
    const refused = this.isWriting ? 'confirmed' : 'refused';
    const now = this.clocks.clock();
    this.traits = traitsAfter(this.traits, trait, isOffered ? 'offered' : refused, now);
  }

  latency(): Look {
    const sorted = this.#durationsMs.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return {
      found: `${median} ms, the median of ${sorted.length} calls; the slowest took ${sorted.at(-1) ?? 0} ms`,
    };
  }

  /** Keeps what was found in the profile of the server; gives its name, undefined where none keeps it. */
  async keep(configDirectory: string | undefined): Promise<string | undefined> {
    const { keptIn: name, baseUrl } = this.target;
    if (name === undefined) return undefined;
    return (await keepLearned(configDirectory, { name, baseUrl, ...this.learned })) ? name : undefined;
  }

  get learned() {
    const { traits, locationQueryParameter } = this;
    return { traits, ...(locationQueryParameter === undefined ? {} : { locationQueryParameter }) };
  }
}

/** Throws USAGE for the bundled engine: it does all that a server may do. */
export function assertServer(target: Target): RemoteTarget {
  if (target.kind === 'remote') return target;
  throw new PartnerError('USAGE', {
    message: '--remote examines a server, and calls go to the bundled engine here',
    hint: 'name a server with --base-url or --profile; `partner auth login NAME --base-url URL` keeps one',
  });
}

export function keptInNote(profile: string | undefined): string {
  return profile === undefined
    ? 'nothing keeps this: log in to the server with `partner auth login`, and look again'
    : `profile ${profile} keeps what was found, and it is used from now on`;
}
