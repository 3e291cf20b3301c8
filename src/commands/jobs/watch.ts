import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, jobIdArg, textFlag } from '../../cli/flags/flag-values.ts';
import { durationSetting } from '../../cli/settings/server-settings.ts';
import { type Progress, showProgress } from '../../cli/terminal/progress.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { jobCard } from './job-card.ts';
import { watchedJob } from './watched-job.ts';

export default class JobsWatch extends PartnerCommand {
  static override summary = 'Show the changes of a job as they happen';
  static override description =
    'Reads the job again and again, prints each change on stderr with its time, and shows the job at the end: when it is over (CLOSED or EXPIRED), has reached --until, or --for has run out. It waits for a server that cannot be reached for a moment. Ctrl-C ends it.';
  static override examples = [
    'partner jobs watch 12',
    'partner jobs watch 12 --until EXPIRED',
    'partner jobs watch 12 --until active --every 10s --for 5m --json',
  ];
  static override args = { id: jobIdArg };
  static override flags = {
    until: choiceFlag(JOB_STATUSES)({ description: 'Wait for this state' }),
    every: Flags.string({ helpValue: 'TIME', default: '5s', description: 'How often to look' }),
    for: textFlag('TIME', 'How long to watch at most; then exit 8 where --until was not reached'),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsWatch);
    const { id } = args;
    const everyMs = durationSetting('--every', flags.every);
    const forMs = flags.for === undefined ? Number.POSITIVE_INFINITY : durationSetting('--for', flags.for);
    const { client, now } = await this.connect({ access: 'read' });
    const { monotonicNow } = this.context;
    let progress: Progress | undefined;
    const stopProgress = (): void => {
      progress?.stop();
      progress = undefined;
    };
    try {
      const job = await watchedJob({
        read: () => client.getJob(id),
        wait: (waitMs) => {
          progress ??= showProgress(this.streams, `looking every ${flags.every}; Ctrl-C ends it`);
          return this.wait(waitMs);
        },
        monotonicNow,
        now,
        everyMs,
        endsAt: monotonicNow() + forMs,
        until: flags.until,
        say: (text) => {
          stopProgress();
          return this.note(text);
        },
      });
      return { json: job, text: () => jobCard(job, this.view) };
    } finally {
      stopProgress();
    }
  }
}
