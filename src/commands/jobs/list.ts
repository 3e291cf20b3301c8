import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { formatServerName } from '../../cli/connection/connect.ts';
import { choiceFlag, durationFlag, listFlags, numberFlag, textFlag } from '../../cli/flags/flag-values.ts';
import { dataPaths, directories } from '../../cli/settings/directories.ts';
import { saveShownJobs } from '../../cli/settings/server-memory.ts';
import { inOrder } from '../../cli/terminal/table.ts';
import { oneLine } from '../../cli/terminal/words.ts';
import { describeExpiring, expiryCount, isExpiring } from '../../contract/lifecycle.ts';
import { JOB_STATUSES } from '../../contract/values.ts';
import {
  JOB_COLUMNS,
  jobTable,
  loadListedJobs,
  SPENDING,
  selectJobs,
  UNLISTED,
  withSpending,
} from './listed-jobs.ts';

const SHOWN_MAX = 1000;

export default class JobsList extends PartnerCommand {
  static override summary = 'List jobs, newest first';
  static override description =
    'If the server can\'t list jobs, only those created from this machine are shown. In that case, the command prints a note to stderr, and --json reports `"complete": false`. --sort only sorts the jobs within --limit.\n\nAPPLICANTS counts the pending, accepted and rejected applications. NEW counts those received since the job was last opened in the dashboard. SPENT is the amount charged of the cap with the largest share spent, or the total without a cap. Only the bundled engine reports it.';
  static override examples = [
    'partner jobs list',
    'partner jobs list --status active --limit 200',
    'partner jobs list --expires-within 5d',
    'partner jobs list --sort bid:desc --columns id,title,bid',
    'partner jobs list --sort new:desc --columns id,title,applicants,new,spent',
    'partner jobs list --limit 500 --csv > jobs.csv',
    "partner jobs list --json | jq -r '.items[].id'",
  ];
  static override flags = {
    status: choiceFlag(JOB_STATUSES)({ description: 'Filter by status' }),
    'opportunity-id': textFlag('ID', 'Filter by the ID of the opening in your ATS'),
    'expires-within': durationFlag({
      like: '5d or 36h',
      description: 'Show only live jobs that expire within this time, such as 5d',
    }),
    limit: numberFlag({ shown: { default: '50' }, description: 'Maximum number of jobs' }),
    ...listFlags(JOB_COLUMNS),
  };

  protected override async perform(): Promise<Outcome> {
    const { flags } = await this.parse(JobsList);
    const { 'opportunity-id': opportunityId, 'expires-within': spanMs, limit = 50 } = flags;
    const query = { opportunityId, status: flags.status ?? (spanMs === undefined ? undefined : 'ACTIVE') };
    const connection = await this.connect({ access: 'read' });
    const most = spanMs === undefined ? limit : Number.POSITIVE_INFINITY;
    const { jobs: all, ...source } = await loadListedJobs(connection, query, most);
    if (!source.complete) await this.note(UNLISTED);
    const shown: [number, string][] = [];
    const expiry = expiryCount(connection.now);
    const selected = selectJobs(all, limit, (job) => {
      if (spanMs !== undefined && !isExpiring(job, spanMs, connection.now())) return false;
      expiry.add(job);
      if (shown.length < SHOWN_MAX) shown.push([job.id, oneLine(job.title) ?? '']);
      return true;
    });
    if (this.view.isTerminal && !this.globals.json) {
      const { shownJobs } = dataPaths(directories(this.context.env));
      this.toClose.push(() => saveShownJobs(shownJobs, formatServerName(connection.target), shown));
    }
    const jobs = withSpending(selected, connection.ofCompany);
    const spending: object[] = [];
    this.toClose.push(() => this.note(describeExpiring(expiry.expiring()).map((text) => `warning: ${text}`)));
    return {
      json: {
        items: inOrder(jobs, flags, (job) => {
          const spent = job[SPENDING];
          // Most jobs of a long list have spent nothing, and they aren't kept in memory.
          if (spent?.filled || spent?.spentCents.LIFETIME) spending.push({ jobId: job.id, ...spent });
          return job;
        }),
        ...source,
        expiring: { toJSON: expiry.expiring },
        spending: connection.ofCompany ? spending : null,
      },
      text: () => jobTable(jobs, this.view, flags),
    };
  }
}
