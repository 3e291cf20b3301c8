import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Outcome } from '../../cli/base-command.ts';
import { describeJob, describeRaisedJob } from '../../cli/confirmation.ts';
import { inGroup, jobIdArg, yesFlag } from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { createInputError } from '../../cli/terminal/ask.ts';
import { viewOfErr } from '../../cli/terminal/view.ts';
import type { ServerJob } from '../../client/client.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobUpdate } from '../../contract/job.ts';
import { changeLines } from '../../reports/changes.ts';
import { assertEditable, changesEdited } from './form/change-form.ts';
import { spendFlags, spendRules } from './job-checks.ts';
import { noCheckFlag } from './job-flags.ts';
import { UpdateCommand } from './sent-job.ts';

export default class JobsEdit extends UpdateCommand {
  static override summary = 'Edit a job in your editor';
  static override description =
    'Opens the job as YAML in $VISUAL or $EDITOR (vi by default), shows the changes and prompts before sending them. If the file has problems, it opens again with the problems at the top. If sending fails, the file is kept.';
  static override examples = ['partner jobs edit 12'];
  static override args = { id: jobIdArg };
  static override flags = {
    ...yesFlag,
    ...inGroup('ADVANCED', { ...noCheckFlag, ...spendFlags }),
    ...serverFlags,
  };

  protected override async perform(): Promise<Outcome> {
    const { args, flags } = await this.parse(JobsEdit);
    const { id } = args;
    const fields = `fields (\`partner jobs update ${id} --title "Night nurse"\`) or a file to \`partner jobs update ${id} FILE\``;
    if (!this.streams.canAsk) throw createInputError('What do you want to change?', fields);
    const { streams, context: cli } = this;
    const spending = spendRules(flags, cli.env);
    const connection = await this.connect();
    const job = await connection.client.getJob(id);
    assertEditable(job);
    const path = join(mkdtempSync(join(tmpdir(), 'partner-')), `job-${id}.yaml`);
    const isChecked = !flags['no-check'];
    try {
      const input = await changesEdited(path, job, isChecked, { streams, cli, spending, connection });
      const outcome = input ? await this.confirmAndSend(job, input, flags.yes, isChecked) : CANCELED;
      rmSync(dirname(path), { recursive: true, force: true });
      return outcome;
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      const hint = [error.hint, `your version is in ${path}`].filter(Boolean).join('. ');
      throw error.with({ hint });
    }
  }

  private async confirmAndSend(job: ServerJob, input: JobUpdate, yes: boolean, isChecked: boolean) {
    const fields = Object.keys(input) as (keyof JobUpdate)[];
    const changes = fields.map((field) => ({ field, from: job[field], to: input[field] }));
    await this.streams.writeErr(`${changeLines(changes, viewOfErr(this.streams, this.context.clock()))}\n`);
    const act = `update ${describeJob(job)}`;
    const describe = () => describeRaisedJob(job, input) || act;
    await this.confirmChange(yes, describe, () => act);
    return this.update(job.id, input, isChecked);
  }
}

const CANCELED: Outcome = { json: null, text: () => '', hint: 'nothing was changed or sent' };
