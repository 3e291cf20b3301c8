import { findSetRefusal, invalidListings, type SetReading } from '../../bulk/read-set.ts';
import { type BulkRequest, openSession, type Session } from '../../bulk/session.ts';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { showProgress } from '../../cli/terminal/progress.ts';
import { PartnerError } from '../../contract/errors.ts';
import { describeExpiring } from '../../contract/lifecycle.ts';
import { type Finding, formatPosition, sentence } from '../../listings/check/finding.ts';
import { describeIgnored } from '../../listings/read/formats.ts';
import {
  assertOutsideSet,
  canBeWritten,
  checkReports,
  findReportFlags,
  parseReportFlags,
  type ReportTarget,
  writeReports,
} from '../../reports/formats.ts';
import { LONG_PAUSE_MS, pauseText, showApplyProgress } from '../../reports/progress.ts';
import { BUNDLED_ENGINE, NOTHING_KNOWN, type Run, type RunFacts } from '../../reports/run.ts';
import { type BulkFlags, bulkRequest } from './bulk-flags.ts';

const UNLISTED =
  "warning: the server didn't list its jobs, so only known jobs were read. Jobs created on other machines weren't detected";
const WARNINGS_SHOWN = 10;
const MAX_WAIT_MS = 2 * 60 * 1000;

export abstract class BulkCommand extends PartnerCommand {
  protected abstract readonly verb: 'plan' | 'apply';
  private reports: readonly ReportTarget[] | undefined;
  /** Before the flags are parsed, contains every word that may be a path. */
  private paths = this.argv.filter((word) => word === '-' || !word.startsWith('-'));
  private readonly startedAt = this.context.clock();
  private startedAtMs = this.context.monotonicNow();
  private facts = NOTHING_KNOWN;

  private progress: Pick<ReturnType<typeof showApplyProgress>, 'paused'> | undefined;
  private saidUntilMs = 0;
  /** In a log, prints each pause only once, even if several requests were refused. */
  private readonly onPause = (untilMs: number): void => {
    this.progress?.paused(untilMs);
    const nowMs = this.context.monotonicNow();
    const isNew = untilMs - Math.max(nowMs, this.saidUntilMs) >= LONG_PAUSE_MS;
    if (this.streams.showsProgress || !isNew) return;
    this.saidUntilMs = untilMs;
    void this.note(`${pauseText(untilMs - nowMs)}. Press Ctrl-C to stop waiting`);
  };

  protected showApplyProgress() {
    const progress = showApplyProgress(this.streams, { ...this.context, isQuiet: this.globals.quiet });
    this.progress = progress;
    return progress;
  }

  protected buildBulkRequest(paths: readonly string[], flags: BulkFlags): BulkRequest {
    this.paths = [...paths];
    this.reports = parseReportFlags(flags.report ?? []);
    checkReports(this.reports);
    const hint = `pass files, directories or globs, as in \`partner jobs ${this.verb} jobs/\``;
    if (paths.length === 0)
      throw new PartnerError('USAGE', { message: `nothing to ${this.verb}: no path specified`, hint });
    if (paths.includes(''))
      throw new PartnerError('USAGE', { message: 'a path is empty: check your shell variables', hint });
    return bulkRequest(paths, flags, this.context);
  }

  /** `out` is another file that the run will write. */
  protected async openRun(request: BulkRequest, flags: BulkFlags, signal: AbortSignal, out?: string) {
    const { rate: ratePerSecond, 'max-wait': maxWaitMs = MAX_WAIT_MS } = flags;
    let opened: Session | undefined;
    const pool = {
      ratePerSecond,
      maxWaitMs,
      onPause: this.onPause,
      stopped: () => opened?.store.findLockLoss(),
    };
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
    await this.note(describeIgnored(session));
    if (session.remembered.state.honoursIdempotencyKeys && honoursIdempotencyKeys === undefined)
      client.learn({ honoursIdempotencyKeys: true });
    return { session, connection };
  }

  protected async loadSet(session: Session): Promise<SetReading> {
    const reading = await this.trackWork('Reading the listings', () => session.read());
    this.learn({ found: reading.found, places: [...session.places.values()] });
    const refused = findSetRefusal(reading, session.request.keepGoing);
    if (refused !== undefined) throw refused;
    const { findings, errors, warnings } = reading.found;
    if (errors > 0) {
      await this.note(
        `warning: ${invalidListings(reading)} and skipped. For the reasons, pass \`--report json=FILE\``,
      );
    }
    const shown = findings
      .filter(({ level }) => level === 'warning')
      .sort((one, other) => Number(isAboutMoney(other)) - Number(isAboutMoney(one)))
      .slice(0, WARNINGS_SHOWN);
    for (const finding of shown) await this.note(`warning: ${formatPosition(finding)}: ${sentence(finding)}`);
    const more = warnings - shown.length;
    if (more > 0) await this.note(`${more} more warnings. List them all with \`partner jobs validate\``);
    return reading;
  }

  protected async trackWork<T>(text: string, work: () => Promise<T>): Promise<T> {
    const progress = showProgress(this.streams, text);
    const { monotonicNow } = this.context;
    this.progress = {
      paused: (untilMs) => progress.say(`${text}. ${pauseText(untilMs - monotonicNow())}`),
    };
    try {
      return await work();
    } finally {
      this.progress = undefined;
      progress.stop();
    }
  }

  /** Restarts the timer after a prompt, so that the duration of a run excludes it. */
  protected override async mustConfirm(question: string, flag: string): Promise<void> {
    await super.mustConfirm(question, flag);
    this.startedAtMs = this.context.monotonicNow();
  }

  protected learn(facts: Partial<RunFacts>): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** Returns the duration of the run in ms. */
  protected async report(facts: Partial<RunFacts>): Promise<number> {
    this.learn(facts);
    const run = this.runSoFar();
    if (run.plan?.complete === false) await this.note(UNLISTED);
    if (!this.reportsToLog) {
      await this.note(describeExpiring(run.plan?.expiring).map((text) => `warning: ${text}`));
    }
    await this.write(this.reports ?? [], run);
    return run.durationMs;
  }

  /** A failed run writes its reports too, so that CI can show the error. */
  protected override async handleFailure(error: unknown): Promise<void> {
    const targets = this.reports ?? findReportFlags(this.argv);
    if (targets.length === 0) return;
    this.learn({ error: toReportedError(error) });
    for (const target of targets) {
      if (!(await canBeWritten(target, this.paths))) continue;
      await this.write([target], this.runSoFar()).catch((cause: PartnerError) => {
        // Doesn't repeat the error if the run failed because this report can't be written.
        if (cause.message !== this.facts.error?.message) return this.note(`warning: ${cause.message}`);
      });
    }
  }

  private write(targets: readonly ReportTarget[], run: Run): Promise<void> {
    return writeReports(targets, run, this.streams, this.context.env.GITHUB_STEP_SUMMARY);
  }

  private runSoFar(): Run {
    const durationMs = this.context.monotonicNow() - this.startedAtMs;
    return { ...this.facts, command: this.verb, startedAt: this.startedAt, durationMs };
  }

  /** A report on stderr already includes the summary and the warnings. */
  private get reportsToLog(): boolean {
    return this.reports?.some(({ file }) => file === undefined) ?? false;
  }

  /** In a pipe, the summary goes to stderr. On a terminal, the view includes it. */
  protected withSummary(outcome: Outcome, summary: string): Outcome {
    if (this.view.isTerminal || this.reportsToLog) return outcome;
    return { ...outcome, hint: outcome.hint === undefined ? summary : [summary, outcome.hint].flat() };
  }
}

function isAboutMoney({ field }: Finding): boolean {
  return /^(?:bid|budgets)/.test(field);
}

/** A report needs a hint, because it doesn't include the rest of the output. */
function toReportedError(error: unknown): PartnerError {
  const known = error instanceof PartnerError ? error : new PartnerError('UNEXPECTED', { cause: error });
  if (known.code === 'UNEXPECTED')
    return known.with({ hint: 'please report it with the report in the log, which contains no keys' });
  if (known.code !== 'INTERRUPTED' || known.hint !== undefined) return known;
  return known.with({ hint: 'run the command again to continue. Completed changes are recorded' });
}
