import { invalidListings, refusalOf, type SetReading } from '../../bulk/read-set.ts';
import { parseReportFlags, type ReportTarget, reportsIn } from '../../bulk/report/flag.ts';
import { BUNDLED_ENGINE, type BulkRun, NOTHING_KNOWN, type RunFacts } from '../../bulk/report/run.ts';
import { assertOutsideSet, canBeWritten, checkReports, writeReports } from '../../bulk/report/write.ts';
import { type BulkRequest, openSession, type Session } from '../../bulk/session.ts';
import {
  type ApplyProgressView,
  LONG_PAUSE_MS,
  pauseText,
  showApplyProgress,
} from '../../bulk/view/apply-progress.ts';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { PartnerError } from '../../contract/errors.ts';
import { expiringText } from '../../contract/expiring.ts';
import type { Finding } from '../../listings/check/finding.ts';
import { placeOf, sentence } from '../../listings/check/finding.ts';
import { ignoredLines } from '../../listings/read/unknown-files.ts';
import { type BulkFlags, bulkRequest } from './bulk-flags.ts';

const UNLISTED =
  "warning: The server didn't list its jobs: known jobs were read by ID, and jobs created on other machines weren't detected.";
const WARNINGS_SHOWN = 10;
const MAX_WAIT_MS = 2 * 60 * 1000;

/** What `jobs plan` and `jobs apply` do alike: open a set, check it, and report the run. */
export abstract class BulkCommand extends PartnerCommand {
  protected abstract readonly verb: 'plan' | 'apply';
  /** Undefined until the flags are understood. */
  private reports: readonly ReportTarget[] | undefined;
  /** The paths of the set; until they are known every word that may be one. */
  private paths = this.argv.filter((word) => word === '-' || !word.startsWith('-'));
  private readonly startedAt = this.context.clock();
  private startedAtMs = this.context.monotonicNow();
  private facts = NOTHING_KNOWN;

  private progress: Pick<ApplyProgressView, 'paused'> | undefined;
  private saidUntilMs = 0;
  /** Shows a wait of all calls beside the progress; in a log it is said once, however many calls were refused. */
  private readonly onPause = (untilMs: number): void => {
    this.progress?.paused(untilMs);
    const nowMs = this.context.monotonicNow();
    const isNew = untilMs - Math.max(nowMs, this.saidUntilMs) >= LONG_PAUSE_MS;
    if (this.streams.showsProgress || !isNew) return;
    this.saidUntilMs = untilMs;
    void this.note(`${pauseText(untilMs - nowMs)}; Ctrl-C ends the wait`);
  };

  protected showApplyProgress(): ApplyProgressView {
    const isQuiet = this.globals.quiet;
    const progress = showApplyProgress(this.streams, { ...this.context, isQuiet });
    this.progress = progress;
    return progress;
  }

  protected requested(paths: readonly string[], flags: BulkFlags): BulkRequest {
    this.paths = [...paths];
    this.reports = parseReportFlags(flags.report ?? []);
    checkReports(this.reports);
    if (paths.length === 0 || paths.includes('')) {
      throw new PartnerError('USAGE', {
        message:
          paths.length === 0 ? `nothing to ${this.verb} is given` : 'a path is empty: is a variable empty?',
        hint: `name files, directories or globs: \`partner jobs ${this.verb} jobs/\``,
      });
    }
    return bulkRequest(paths, flags, this.context);
  }

  /** Opens the set where the calls go; `out` is another file that is to be written. */
  protected async opened(request: BulkRequest, flags: BulkFlags, signal: AbortSignal, out?: string) {
    const { rate: ratePerSecond, 'max-wait': maxWaitMs = MAX_WAIT_MS } = flags;
    let opened: Session | undefined;
    const pool = { ratePerSecond, maxWaitMs, onPause: this.onPause, stopped: () => opened?.store.lost() };
    await assertOutsideSet([...(this.reports ?? []).map(({ file }) => file), out], request.paths);
    const connection = await this.connect({ signal, pool, access: this.verb === 'plan' ? 'read' : 'write' });
    const { client, baseUrl } = connection;
    const target = connection.target.kind === 'embedded' ? BUNDLED_ENGINE : baseUrl;
    this.learn({ server: baseUrl, target });
    const session = await openSession(request, connection, this.streams);
    opened = session;
    const { honoursIdempotencyKeys } = client.traits;
    const { store, ignored } = session;
    this.learn({ statePath: store.name, ignored });
    await this.note(ignoredLines(session));
    if (session.remembered.state.honoursIdempotencyKeys && honoursIdempotencyKeys === undefined)
      client.learn({ honoursIdempotencyKeys: true });
    return { session, connection };
  }

  protected async checked(session: Session): Promise<SetReading> {
    const reading = await this.working('reading the listings', () => session.read());
    this.learn({ found: reading.found, places: [...session.places.values()] });
    const refused = refusalOf(reading, session.request.keepGoing);
    if (refused !== undefined) throw refused;
    const { findings, errors, warnings } = reading.found;
    if (errors > 0) {
      await this.note(`warning: ${invalidListings(reading)} and skipped: \`--report json=FILE\` shows why`);
    }
    const all = findings.filter(({ level }) => level === 'warning');
    const moneyFirst = [...all.filter(isAboutMoney), ...all.filter((finding) => !isAboutMoney(finding))];
    const shown = moneyFirst.slice(0, WARNINGS_SHOWN);
    for (const finding of shown) await this.note(`warning: ${placeOf(finding)}: ${sentence(finding)}`);
    const more = warnings - shown.length;
    if (more > 0) await this.note(`and ${more} more warnings: \`partner jobs validate\` shows them`);
    return reading;
  }

  /** Does something that may take a while, with a spinner for somebody who watches. */
  protected async working<T>(text: string, work: () => Promise<T>): Promise<T> {
    const progress = showProgress(this.streams, text);
    const { monotonicNow } = this.context;
    this.progress = {
      paused: (untilMs) => progress.say(`${text}; ${pauseText(untilMs - monotonicNow())}`),
    };
    try {
      return await work();
    } finally {
      this.progress = undefined;
      progress.stop();
    }
  }

  /** The duration of a run excludes the wait for the user's answer. */
  protected measureFromNow(): void {
    this.startedAtMs = this.context.monotonicNow();
  }

  protected learn(facts: Partial<RunFacts>): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** Writes the reports of a run that has come to its end; gives how long it took, in ms. */
  protected async report(facts: Partial<RunFacts>): Promise<number> {
    this.learn(facts);
    const run = this.runSoFar();
    if (run.plan?.complete === false) await this.note(UNLISTED);
    if (!this.reportsToLog) {
      await this.note(expiringText(run.plan?.expiring).map((text) => `warning: ${text}`));
    }
    await this.write(this.reports ?? [], run);
    return run.durationMs;
  }

  /** The reports are written also where the run did not come to its end, and say why. */
  protected override async failed(error: unknown): Promise<void> {
    const targets = this.reports ?? reportsIn(this.argv);
    if (targets.length === 0) return;
    this.learn({ error: reportedError(error) });
    for (const target of targets) {
      if (!(await canBeWritten(target, this.paths))) continue;
      await this.write([target], this.runSoFar()).catch((cause: PartnerError) => {
        // This very report may be what ended the run.
        if (cause.message !== this.facts.error?.message) return this.note(`warning: ${cause.message}`);
      });
    }
  }

  private write(targets: readonly ReportTarget[], run: BulkRun): Promise<void> {
    return writeReports(targets, run, this.streams, this.context.env.GITHUB_STEP_SUMMARY);
  }

  private runSoFar(): BulkRun {
    const durationMs = this.context.monotonicNow() - this.startedAtMs;
    return { ...this.facts, command: this.verb, startedAt: this.startedAt, durationMs };
  }

  /** A report on stderr already includes what is printed there otherwise. */
  private get reportsToLog(): boolean {
    return this.reports?.some(({ file }) => file === undefined) ?? false;
  }

  /** The outcome, and in a pipe the summary on stderr: on a terminal the view has it. */
  protected withSummary(outcome: Outcome, summary: string): Outcome {
    if (this.view.isTerminal || this.reportsToLog) return outcome;
    return { ...outcome, hint: outcome.hint === undefined ? summary : [summary, outcome.hint].flat() };
  }
}

function isAboutMoney({ field }: Finding): boolean {
  return /^(?:bid|budgets)/.test(field);
}

/** An error with what to do about it, as a report cannot point at what stands below. */
function reportedError(error: unknown): PartnerError {
  const known = error instanceof PartnerError ? error : new PartnerError('UNEXPECTED', { cause: error });
  if (known.code === 'UNEXPECTED')
    return known.with({ hint: 'please send the report in the log; it holds no key' });
  if (known.code !== 'INTERRUPTED' || known.hint !== undefined) return known;
  return known.with({ hint: 'run it again: what was done is recorded' });
}
