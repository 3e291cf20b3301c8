import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { type Outcome, PartnerCommand } from '../../base-command.ts';
import type { ServerJob } from '../../client/client.ts';
import { durationFlag, oneOf } from '../../command-line/flag-values.ts';
import { jobId } from '../../command-line/job-id.ts';
import { PartnerError } from '../../contract/errors.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { jobCard } from '../../ui/views/job-card.ts';

export default class JobsWatch extends PartnerCommand {
  static override summary = 'Wait until a job reaches a state';
  static override description =
    'The job is read again and again; each change of state is said on stderr. Without --for it waits until Ctrl-C.';
  static override examples = [
    'partner jobs watch 12 --until EXPIRED',
    'partner jobs watch 12 --until active --every 10s --for 5m --json',
  ];
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: "The job's id" }),
  };
  static override flags = {
    until: Flags.string({ helpValue: JOB_STATUSES.join('|'), description: 'The state to wait for' }),
    every: Flags.string({ helpValue: 'TIME', default: '5s', description: 'How often to look' }),
    for: Flags.string({ helpValue: 'TIME', description: 'How long to wait at most; then exit 8' }),
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsWatch);
    if (flags.until === undefined) {
      throw new PartnerError('USAGE', {
        message: '--until is missing',
        hint: 'name the state to wait for: --until ACTIVE',
      });
    }
    const until = oneOf('--until', flags.until, JOB_STATUSES);
    const everyMs = durationFlag('--every', flags.every);
    const endsAt =
      flags.for === undefined
        ? Number.POSITIVE_INFINITY
        : this.surroundings.clock() + durationFlag('--for', flags.for);
    const job = await this.reached(jobId(args.id), until, everyMs, endsAt);
    return { json: job, text: () => jobCard(job, this.view) };
  }

  private async reached(id: number, until: string, everyMs: number, endsAt: number): Promise<ServerJob> {
    const { client } = await this.connect();
    for (let seen: unknown; ; ) {
      const job = await client.getJob(id);
      if (job.status !== seen) await this.note(`job ${id} is ${job.status}`);
      seen = job.status;
      if (job.status === until) return job;
      if (this.surroundings.clock() + everyMs > endsAt) {
        throw new PartnerError('TIMED_OUT', {
          message: `job ${id} is still ${job.status}, not ${until}`,
          hint: 'wait longer with --for',
        });
      }
      await this.wait(everyMs);
    }
  }
}
