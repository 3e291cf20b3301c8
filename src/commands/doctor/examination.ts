import { keepLearned } from '../../cli/settings/profiles.ts';
import type { RemoteTarget, Target } from '../../cli/settings/target.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { createDecodeError, isJson } from '../../client/decode.ts';
import type { Answer, Probe, ProbeRequest } from '../../client/exchange.ts';
import { currentTraits, type OptionalTrait, type ServerTraits, updateTraits } from '../../client/traits.ts';
import { PartnerError } from '../../contract/errors.ts';
import { createHeaders } from '../../contract/http-messages.ts';
import { type Check, type Look, runCheck } from './checks.ts';

const CALL_MS = 10_000;
const PART_MS = 60_000;

export class Examination {
  readonly checks: Check[] = [];
  traits: ServerTraits;
  locationQueryParameter: string | undefined;
  readonly #durationsMs: number[] = [];
  #endsAtMs = 0;

  constructor(
    readonly target: RemoteTarget,
    readonly clocks: Pick<CliContext, 'clock' | 'monotonicNow'>,
    private readonly probe: Probe,
    private readonly timeoutMs = CALL_MS,
    private readonly isWriting = false,
  ) {
    this.traits = currentTraits(target.traits ?? {}, clocks.clock());
    this.beginPart();
  }

  /** Reads and writes have separate deadlines, so that slow reads can't cut off the write of a draft. */
  beginPart(): void {
    this.#endsAtMs = this.clocks.monotonicNow() + Math.max(PART_MS, 6 * this.timeoutMs);
  }

  /** Throws TIMED_OUT, also if earlier requests used up the time. Throws ANSWER_UNREADABLE for a web page. */
  async ask(request: Omit<ProbeRequest, 'timeoutMs'>): Promise<Answer> {
    const startedAtMs = this.clocks.monotonicNow();
    const timeoutMs = Math.min(this.timeoutMs, this.#endsAtMs - startedAtMs);
    if (timeoutMs <= 0) {
      throw new PartnerError('TIMED_OUT', {
        message: 'not checked: the checks reached their time limit',
      });
    }
    const answer = await this.probe({ ...request, timeoutMs });
    this.#durationsMs.push(this.clocks.monotonicNow() - startedAtMs);
    if (answer.status < 300 && answer.text.trim() !== '' && !isJson(answer)) {
      throw createDecodeError(answer, 'not the API');
    }
    return answer;
  }

  /** Returns an unfollowed redirect as a response instead of throwing. */
  askOptional(request: Omit<ProbeRequest, 'timeoutMs'>): Promise<Answer> {
    return this.ask(request).catch((error: unknown) => {
      if (!(error instanceof PartnerError) || error.status === undefined || error.status < 300) throw error;
      const { method, path: url } = request;
      return { method, url, status: error.status, headers: createHeaders({}), text: '' };
    });
  }

  async look(name: string, at: () => Promise<Look> | Look): Promise<boolean> {
    const check = await runCheck(name, at);
    this.checks.push(check);
    return check.exit === undefined;
  }

  learn(traits: ServerTraits): void {
    this.traits = { ...this.traits, ...traits };
  }

  learnAnswer(trait: OptionalTrait, isOffered: boolean): void {
    const refused = this.isWriting ? 'confirmed' : 'refused';
    const now = this.clocks.clock();
    this.traits = updateTraits(this.traits, trait, isOffered ? 'offered' : refused, now);
  }

  latency(): Look {
    const sorted = this.#durationsMs.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return `median ${median} ms over ${sorted.length} requests, slowest ${sorted.at(-1) ?? 0} ms`;
  }

  /** Stores the results in the server's profile. If that fails, adds a failed check instead of a note. */
  async keep(configDirectory: string | undefined) {
    const { keptIn: name, baseUrl } = this.target;
    let isKept = false;
    const stored = await runCheck('Profile', async () => {
      if (name !== undefined) isKept = await keepLearned(configDirectory, { name, baseUrl, ...this.learned });
      return isKept ? `Profile ${name} now uses these results.` : NOT_STORED;
    });
    if (stored.exit !== undefined) this.checks.push(stored);
    return { keptIn: isKept ? name : undefined, notes: stored.exit === undefined ? [stored.found] : [] };
  }

  get learned() {
    const { traits, locationQueryParameter } = this;
    return { traits, ...(locationQueryParameter === undefined ? {} : { locationQueryParameter }) };
  }
}

export function assertServer(target: Target): RemoteTarget {
  if (target.kind === 'remote') return target;
  throw new PartnerError('USAGE', {
    message: '--remote checks a server, but requests go to the bundled engine',
    hint: 'specify a server with --base-url or --profile, or store one with `partner auth login NAME --base-url URL`',
  });
}

const NOT_STORED =
  "The results weren't stored in a profile. Log in with `partner auth login`, then run this command again.";
