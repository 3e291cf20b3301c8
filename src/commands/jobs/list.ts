import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { choiceFlag, durationFlag, numberFlag, textFlag } from '../../cli/flags/flag-values.ts';
import { listFlags } from '../../cli/flags/list-flags.ts';
import { inOrder } from '../../cli/terminal/column.ts';
import { expiresWithin, expiringText, expiryCount } from '../../contract/expiring.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import { JOB_COLUMNS, jobTable } from './job-table.ts';
import { listedJobs, selected } from './listed-jobs.ts';

const UNLISTED =
  "The server didn't list its jobs: these are only the jobs created from this machine. `partner doctor --remote` checks the list again.";

export default class JobsList extends PartnerCommand {
  static override summary = 'List jobs, newest first';
  static override description =
    'If the server can\'t list jobs, only those created from this machine are shown, with a note on stderr and `"complete": false` in --json. --sort sorts the jobs that --limit lets through.';
  static override examples = [
    'partner jobs list',
    'partner jobs list --status active --limit 200',
    'partner jobs list --expires-within 5d',
    'partner jobs list --sort bid:desc --columns id,title,bid',
    'partner jobs list --limit 500 --csv > jobs.csv',
    "partner jobs list --json | jq -r '.items[].id'",
  ];
  static override flags = {
    status: choiceFlag(JOB_STATUSES)({ description: 'Only jobs in this state' }),
    'opportunity-id': textFlag('ID', 'Only jobs for this opening on your ATS'),
    'expires-within': durationFlag('Only live jobs that expire within this time, such as 5d', '5d or 36h'),
    limit: numberFlag({ description: 'At most this many; pages are followed (default 50)' }),
    ...listFlags(JOB_COLUMNS),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(JobsList);
    const { 'opportunity-id': opportunityId, 'expires-within': spanMs, limit = 50 } = flags;
    const query = { opportunityId, status: flags.status ?? (spanMs === undefined ? undefined : 'ACTIVE') };
    const connection = await this.connect({ access: 'read' });
    const most = spanMs === undefined ? limit : Number.POSITIVE_INFINITY;
    const { jobs: all, ...source } = await listedJobs(connection, query, most);
    if (!source.complete) await this.note(UNLISTED);
    const expiry = expiryCount(connection.now);
    const jobs = selected(all, limit, (job) => {
      if (spanMs !== undefined && !expiresWithin(job, spanMs, connection.now())) return false;
      expiry.add(job);
      return true;
    });
    this.toClose.push(() => this.note(expiringText(expiry.expiring()).map((text) => `warning: ${text}`)));
    return {
      json: { items: inOrder(jobs, flags, (job) => job), ...source, expiring: { toJSON: expiry.expiring } },
      text: () => jobTable(jobs, this.view, flags),
    };
  }
}
