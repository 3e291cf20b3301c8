import { budgetLines } from '../../cli/caps.ts';
import { clean, details, fieldLines, paragraph, prose, section, type View } from '../../cli/terminal/view.ts';
import { cents, moment, oneLine, salary, statusStyle, timeLeft, word } from '../../cli/terminal/words.ts';
import type { JobFields } from '../../client/server-job.ts';
import { JobSchema } from '../../contract/job.ts';
import { fieldName } from '../../contract/problems.ts';
import { counted } from '../../contract/words.ts';
import { draftGaps } from './job-gaps.ts';
import { placesOf } from './job-table.ts';

const DESCRIPTION_LINES = 12;

/** A job, or one that is yet to be made; for a draft with what it still needs to go live. */
export function jobCard(job: JobFields, view: View): string {
  return [
    heading(job, view),
    '\n',
    details(facts(job), view),
    section('Description', prose(job.description ?? '', view, DESCRIPTION_LINES), view),
    section('Qualifications', qualifications(job, view), view),
    section('Questions', questions(job, view), view),
    section('Caps', budgetLines(job, view), view),
    section('Also answered by the server', details(unknownFields(job), view), view),
    gaps(job, view),
  ].join('');
}

function heading(job: JobFields, view: View): string {
  const status = oneLine(job.status) ?? 'state unknown';
  const line = [
    `job ${job.id ?? 'not created yet'}`,
    view.paint(statusStyle(status), status),
    isLive(job) && timeLeft(job.publishedAt, job.expiresAt, view.now),
  ];
  const title = clean(job.title ?? '').trim() || 'Untitled';
  return paragraph(view.paint('bold', title), view) + paragraph(line.filter(Boolean).join(' · '), view);
}

/** The 30 days run while a job is live, paused or not. */
function isLive({ status }: JobFields): boolean {
  return status === 'ACTIVE' || status === 'PAUSED';
}

function facts(job: JobFields): [string, string | undefined][] {
  const bid = cents(job.bidPerQualifiedApplicantCents);
  return [
    ['Bid', bid && `${bid} per qualified applicant`],
    ['Work', [word(job.remoteOption), word(job.jobType), word(job.jobLevel)].filter(Boolean).join(' · ')],
    ['Where', placesOf(job).map(clean).join('\n')],
    ['Remote country', job.remoteOption === 'REMOTE' ? undefined : oneLine(job.remoteCountry)],
    ['Salary', salary(job.salaryMin, job.salaryMax, job.salaryPeriod)],
    ['Spending', job.budgets?.length === 0 ? 'no caps: unlimited' : undefined],
    ['Published', moment(job.publishedAt)],
    ['Expires', job.status === 'CLOSED' ? undefined : moment(job.expiresAt)],
    ['Closed', moment(job.closedAt)],
    ['Applicants', applicants(job)],
    ['Locked', job.isFrozen ? 'qualifications and questions, since the job has applications' : undefined],
    ['Opportunity', oneLine(job.opportunityId)],
    ['ATS', oneLine(job.atsJobUrl)],
    ['Company', oneLine(job.companyId)],
  ];
}

function applicants(job: JobFields): string | undefined {
  const counts = Object.entries(job.applicationCounts ?? {});
  const fresh = job.newApplicantCount ?? 0;
  if (counts.every(([, count]) => count === 0)) return isLive(job) ? 'none yet' : undefined;
  const words = counts.map(([state, count]) => `${oneLine(count)} ${clean(state)}`);
  return [...words, ...(fresh > 0 ? [`${fresh} new`] : [])].join(' · ');
}

function qualifications({ qualifications = [] }: JobFields, view: View): string {
  const sorted = inOrder(qualifications);
  const required = sorted.filter(({ kind }) => kind === 'REQUIRED');
  const others = sorted.filter(({ kind }) => kind !== 'REQUIRED');
  return details(
    [...required, ...others].map(({ kind, text }) => [word(kind) ?? '–', oneLine(text)]),
    view,
  );
}

function questions({ questions = [] }: JobFields, view: View): string {
  return details(
    inOrder(questions).map(({ prompt, answerFormat, options = [] }, index) => {
      const choices = clean(options.join(' · '));
      const format = [word(answerFormat), choices].filter(Boolean).join(': ');
      return [
        String(index + 1),
        [oneLine(prompt), format && view.paint('dim', format)].filter(Boolean).join('\n'),
      ];
    }),
    view,
  );
}

function inOrder<Entry extends { readonly order?: number | undefined }>(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

/** Decision 16: what a server answers beyond the contract is shown, not dropped. */
function unknownFields(job: JobFields): [string, string | undefined][] {
  return Object.entries(job)
    .filter(([field]) => !Object.hasOwn(JobSchema.shape, field))
    .map(([field, value]) => [field, oneLine(value)]);
}

function gaps(job: JobFields, view: View): string {
  if (job.status !== 'DRAFT') return '';
  const lines = draftGaps(job).map(({ path, message }) => [fieldName(path), message] as const);
  if (lines.length === 0)
    return `\n${paragraph(view.paint('green', 'Complete: nothing is missing to publish it'), view)}`;
  return section(`Before it can go live: ${counted(lines.length, 'gap')}`, fieldLines(lines, view), view);
}
