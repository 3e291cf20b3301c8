import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, durationFlag, jobIdArg } from '../../cli/flags/flag-values.ts';
import { durationSetting } from '../../cli/settings/server-settings.ts';
import { type Progress, showProgress } from '../../cli/terminal/progress.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { jobCard } from './job-card.ts';
import { watchJob } from './watched-job.ts';

export default class JobsWatch extends PartnerCommand {
  static override summary = 'Watch a job for changes';
  static override description =
    'Polls the job, prints each change to stderr, and shows the job at the end. Stops when the job closes, expires or reaches the --until status, after the --for time, or on Ctrl-C. If the server is temporarily unreachable, polling continues.';
  static override examples = [
    'partner jobs watch 12',
    'partner jobs watch 12 --until EXPIRED',
    'partner jobs watch 12 --until active --every 10s --for 5m --json',
  ];
  static override args = { id: jobIdArg };
  static override flags = {
    until: choiceFlag(JOB_STATUSES)({ description: 'Status to wait for' }),
    every: Flags.string({ helpValue: 'TIME', default: '5s', description: 'Polling interval' }),
    for: durationFlag({ description: "Maximum time to watch (exit 8 if --until isn't reached)" }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsWatch);
    const { id } = args;
    const everyMs = durationSetting('--every', flags.every);
    const { client, now } = await this.connect({ access: 'read' });
    const { monotonicNow } = this.context;
    const { for: forMs = Number.POSITIVE_INFINITY } = flags;
    let progress: Progress | undefined;
    const stopProgress = (): void => {
      progress?.stop();
      progress = undefined;
    };
    try {
      const job = await watchJob({
        read: () => client.getJob(id),
        wait: (waitMs) => {
          progress ??= showProgress(this.streams, `Checking every ${flags.every}. Press Ctrl-C to stop`);
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
