import { budgetLines } from '../../cli/caps.ts';
import { clean, details, fieldLines, paragraph, prose, section, type View } from '../../cli/terminal/view.ts';
import { cents, moment, oneLine, parseServerTime, word } from '../../cli/terminal/words.ts';
import type { JobFields } from '../../client/server-job.ts';
import { formatSpentOfCap } from '../../contract/gate.ts';
import { JobSchema } from '../../contract/job.ts';
import { isPublished } from '../../contract/lifecycle.ts';
import { fieldName } from '../../contract/problems.ts';
import { formatCents, formatCount, salaryWords, timeLeftWords } from '../../contract/words.ts';
import { statusStyle } from '../../reports/changes.ts';
import { listGaps } from './job-checks.ts';
import { findSpent, listPlaceNames } from './listed-jobs.ts';

const DESCRIPTION_LINES = 12;

export function jobCard(job: JobFields, view: View): string {
  return [
    heading(job, view),
    '\n',
    details(facts(job), view),
    section('Description', prose(job.description ?? '', view, DESCRIPTION_LINES), view),
    section('Qualifications', qualifications(job, view), view),
    section('Questions', questions(job, view), view),
    section('Caps', budgetLines(job, view), view),
    section('Other fields from the server', details(unknownFields(job), view), view),
    gaps(job, view),
  ].join('');
}

function heading(job: JobFields, view: View): string {
  const status = oneLine(job.status) ?? 'unknown status';
  const endsAt = isPublished(job.status) ? parseServerTime(job.expiresAt) : undefined;
  const line = [
    `job ${job.id ?? 'not created yet'}`,
    view.paint(statusStyle(status), status),
    endsAt !== undefined && timeLeftWords(parseServerTime(job.publishedAt), endsAt, view.now),
  ];
  const title = clean(job.title ?? '').trim() || 'Untitled';
  return paragraph(view.paint('bold', title), view) + paragraph(line.filter(Boolean).join(' · '), view);
}

function facts(job: JobFields): [string, string | undefined][] {
  const bid = cents(job.bidPerQualifiedApplicantCents);
  const spent = findSpent(job);
  return [
    ['Bid', bid && `${bid} per qualified applicant`],
    ['Work', [word(job.remoteOption), word(job.jobType), word(job.jobLevel)].filter(Boolean).join(' · ')],
    ['Where', listPlaceNames(job).map(clean).join('\n')],
    ['Remote country', job.remoteOption === 'REMOTE' ? undefined : oneLine(job.remoteCountry)],
    ['Salary', salaryWords(job.salaryMin, job.salaryMax, word(job.salaryPeriod))],
    ['Spending', job.budgets?.length === 0 ? 'unlimited (no caps)' : undefined],
    ['Published', moment(job.publishedAt)],
    ['Expires', job.status === 'CLOSED' ? undefined : moment(job.expiresAt)],
    ['Closed', moment(job.closedAt)],
    ['Applicants', applicants(job)],
    ['Spent', spent && formatSpentOfCap(spent)],
    ['Total spent', spent?.cap && formatCents(spent.totalCents)],
    ['Locked', job.isFrozen ? 'qualifications and questions (the job has applications)' : undefined],
    ['Opportunity', oneLine(job.opportunityId)],
    ['ATS', oneLine(job.atsJobUrl)],
    ['Company', oneLine(job.companyId)],
  ];
}

function applicants(job: JobFields): string | undefined {
  const counts = Object.entries(job.applicationCounts ?? {});
  const fresh = job.newApplicantCount ?? 0;
  if (counts.every(([, count]) => count === 0)) return isPublished(job.status) ? 'none yet' : undefined;
  const words = counts.map(([state, count]) => `${oneLine(count)} ${clean(state)}`);
  return [...words, ...(fresh > 0 ? [`${fresh} new`] : [])].join(' · ');
}

function qualifications({ qualifications = [] }: JobFields, view: View): string {
  const others = ({ kind }: (typeof qualifications)[number]) => Number(kind !== 'REQUIRED');
  const sorted = inOrder(qualifications).sort((a, b) => others(a) - others(b));
  const rows = sorted.map(({ kind, text }) => [word(kind) ?? '–', oneLine(text)] as const);
  return details(rows, view);
}

function questions({ questions = [] }: JobFields, view: View): string {
  const rows = inOrder(questions).map(({ prompt, answerFormat, options = [] }, index) => {
    const choices = clean(options.join(' · '));
    const format = [word(answerFormat), choices].filter(Boolean).join(': ');
    const lines = [oneLine(prompt), format && view.paint('dim', format)];
    return [String(index + 1), lines.filter(Boolean).join('\n')] as const;
  });
  return details(rows, view);
}

function inOrder<Entry extends { readonly order?: number | undefined }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

/** A newer server may return fields that the contract doesn't have. Users must see them (decision 16). */
function unknownFields(job: JobFields): [string, string | undefined][] {
  const unknown = Object.entries(job).filter(([field]) => !Object.hasOwn(JobSchema.shape, field));
  return unknown.map(([field, value]) => [field, oneLine(value)]);
}

function gaps(job: JobFields, view: View): string {
  if (job.status !== 'DRAFT') return '';
  const lines = listGaps(job).map(({ path, message }) => [fieldName(path), message] as const);
  if (lines.length === 0) return `\n${paragraph(view.paint('green', 'Complete and ready to publish'), view)}`;
  return section(`Required to publish: ${formatCount(lines.length, 'field')}`, fieldLines(lines, view), view);
}
