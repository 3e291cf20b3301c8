import { setFlagsFromString } from 'node:v8';
import { type Outcome, PartnerCommand } from './base-command.ts';
import { assertOutsideSet } from './bulk/outside-set.ts';
import type { SetReading } from './bulk/read-set.ts';
import { invalidListings, refusalOf } from './bulk/refused-set.ts';
import { parseReportFlags, type ReportTarget } from './bulk/report/flag.ts';
import { BUNDLED_ENGINE, type BulkRun } from './bulk/report/run.ts';
import { checkReports, writeReports } from './bulk/report/write.ts';
import { type BulkRequest, openSession, type Session } from './bulk/session.ts';
import { type BulkFlags, bulkFlagsOf } from './command-line/bulk-flags.ts';
import type { Connection } from './connection.ts';
import { PartnerError } from './contract/errors.ts';
import { showProgress } from './ui/progress.ts';

/** What `jobs plan` and `jobs apply` do alike: open a set, check it, and report the run. */
export abstract class BulkCommand extends PartnerCommand {
  protected abstract readonly verb: 'plan' | 'apply';
  protected reports: readonly ReportTarget[] = [];
  protected readonly startedAt = this.surroundings.clock();

  /** Until when the server wants the whole pool to wait, in epoch ms. */
  protected pausedUntil: number | undefined;
  /** Where the calls go, once that is known, as reports say it. */
  private reportedTarget = '';
  private readonly onPause = (untilMs: number): void => {
    this.pausedUntil = untilMs;
  };

  /** What is asked, from paths and flags. Throws USAGE. */
  protected requested(paths: readonly string[], flags: Readonly<Record<string, unknown>>): BulkRequest {
    this.reports = parseReportFlags((flags.report as string[] | undefined) ?? []);
    checkReports(this.reports);
    if (paths.length === 0) {
      throw new PartnerError('USAGE', {
        message: `nothing to ${this.verb} is given`,
        hint: `name files, directories or globs: \`partner jobs ${this.verb} jobs/\``,
      });
    }
    return {
      paths,
      cwd: process.cwd(),
      ...this.understood(flags),
      interrupted: this.surroundings.interrupted,
    };
  }

  /**
   * Opens the set where the calls go. From then on V8 collects what is no longer used when it is as much as what is:
   * left to itself it waits until it is three times that, and gains nothing by it.
   */
  protected async opened(
    request: BulkRequest,
    flags: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ session: Session; connection: Connection }> {
    setFlagsFromString('--heap-growing-percent=100');
    const { ratePerSecond } = bulkFlagsOf(flags);
    const written = [...this.reports.map(({ file }) => file), flags.out as string | undefined];
    await assertOutsideSet(
      written.filter((file) => file !== undefined),
      request.paths,
    );
    const connection = await this.connect({ signal, pool: { ratePerSecond, onPause: this.onPause } });
    const { client, places, searchPlaces, limits, baseUrl, keyDigest, now } = connection;
    this.reportedTarget = connection.target.kind === 'embedded' ? BUNDLED_ENGINE : baseUrl;
    const session = await openSession(
      request,
      { baseUrl, keyDigest, client, now, places, searchPlaces, limits },
      this.streams.stdin,
    );
    this.atEnd(() => session.close());
    if (session.remembered.state.honoursIdempotencyKeys) client.learn({ honoursIdempotencyKeys: true });
    return { session, connection };
  }

  /** Reads and checks the set; where it is refused, reports that and throws VALIDATION_FAILED. */
  protected async checked(session: Session): Promise<SetReading> {
    const reading = await this.working('reading the listings', () => session.read());
    const refused = refusalOf(reading, session.request.keepGoing);
    if (refused !== undefined) {
      await this.report({ ...this.runOf(session, reading), plan: undefined, outcomes: [] });
      throw refused;
    }
    const { errors, warnings } = reading.found;
    if (errors > 0)
      await this.note(
        `warning: ${invalidListings(reading)} and left out: \`partner jobs validate\` shows why`,
      );
    if (warnings > 0) {
      const counted = warnings === 1 ? '1 warning' : `${warnings} warnings`;
      await this.note(`${counted}: \`partner jobs validate\` shows more`);
    }
    return reading;
  }

  /** Does something that may take a while, with a spinner for somebody who watches. */
  protected async working<T>(text: string, work: () => Promise<T>): Promise<T> {
    const progress = showProgress(this.streams, text);
    try {
      return await work();
    } finally {
      progress.stop();
    }
  }

  /** A run as reports tell it, but for its plan and what came of it. */
  protected runOf(
    { server, statePath, places }: Session,
    { found }: SetReading,
  ): Omit<BulkRun, 'plan' | 'outcomes'> {
    return {
      command: this.verb,
      found,
      places: [...places.values()],
      startedAt: this.startedAt,
      durationMs: this.surroundings.clock() - this.startedAt,
      server: server.baseUrl,
      target: this.reportedTarget,
      statePath,
    };
  }

  protected report(run: BulkRun): Promise<void> {
    const { writeErr } = this.streams;
    return writeReports(this.reports, run, {
      writeErr,
      stepSummary: this.surroundings.env.GITHUB_STEP_SUMMARY,
    });
  }

  /** The result, and where nobody sees it as a whole the sentence about it on stderr. */
  protected shown(outcome: Outcome, sentence: string): Outcome {
    const { hint } = outcome;
    if (this.view.isTerminal) return outcome;
    return { ...outcome, hint: hint === undefined ? sentence : `${sentence}\n${hint}` };
  }

  private understood(
    flags: Readonly<Record<string, unknown>>,
  ): Omit<BulkRequest, 'paths' | 'cwd' | 'interrupted'> {
    const { ratePerSecond: _, ...request }: BulkFlags = bulkFlagsOf(flags);
    return request;
  }
}
