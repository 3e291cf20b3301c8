import { budgetLines } from '../../cli/budget-table.ts';
import { placesOf } from '../../cli/places/place-table.ts';
import { details, paragraph, prose, section } from '../../cli/terminal/blocks.ts';
import { clean } from '../../cli/terminal/clean.ts';
import { type Fields, fieldsIn, listIn, numberIn, textIn } from '../../cli/terminal/read.ts';
import type { View } from '../../cli/terminal/view.ts';
import { cents, moment, salary, statusStyle, timeLeft, word } from '../../cli/terminal/words.ts';
import { JobSchema } from '../../contract/job.ts';
import { gapsSection } from './gaps-view.ts';

const DESCRIPTION_LINES = 12;

/** A job, whole: what it is, how it stands and, for a draft, what it still needs to go live. */
export function jobCard(job: unknown, view: View): string {
  const fields = fieldsIn(job);
  return [
    heading(fields, view),
    '\n',
    details(facts(fields), view),
    section('Description', prose(textBlock(fields.description), DESCRIPTION_LINES, view), view),
    section('Qualifications', qualifications(fields, view), view),
    section('Questions', questions(fields, view), view),
    section('Caps', budgetLines(fields.budgets, fields.bidPerQualifiedApplicantCents, view), view),
    section('Also answered by the server', details(unknownFields(fields), view), view),
    gapsSection(fields, view),
  ].join('');
}

function heading(job: Fields, view: View): string {
  const status = textIn(job.status) ?? 'state unknown';
  const left = isLive(job) ? timeLeft(job.publishedAt, job.expiresAt, view.now) : undefined;
  const line = [
    `job ${textIn(job.id) ?? 'without an id'}`,
    view.paint(statusStyle(status), status),
    ...(left === undefined ? [] : [left]),
  ].join(' · ');
  const title = textIn(job.title)?.trim() || 'Untitled';
  return paragraph(view.paint('bold', title), view) + paragraph(line, view);
}

/** The 30 days run while a job is live, paused or not. */
function isLive({ status }: Fields): boolean {
  return status === 'ACTIVE' || status === 'PAUSED';
}

function facts(job: Fields): [string, string | undefined][] {
  const bid = cents(job.bidPerQualifiedApplicantCents);
  return [
    ['Bid', bid && `${bid} per qualified applicant`],
    ['Work', [word(job.remoteOption), word(job.jobType), word(job.jobLevel)].filter(Boolean).join(' · ')],
    ['Where', placesOf(job).join('\n')],
    ['Remote country', job.remoteOption === 'REMOTE' ? undefined : textIn(job.remoteCountry)],
    ['Salary', salary(job.salaryMin, job.salaryMax, job.salaryPeriod)],
    ['Spending', Array.isArray(job.budgets) && job.budgets.length === 0 ? 'no caps: unlimited' : undefined],
    ['Published', moment(job.publishedAt)],
    ['Expires', job.status === 'CLOSED' ? undefined : moment(job.expiresAt)],
    ['Closed', moment(job.closedAt)],
    ['Applicants', applicants(job)],
    [
      'Locked',
      job.isFrozen === true ? 'qualifications and questions, since the job has applications' : undefined,
    ],
    ['Opportunity', textIn(job.opportunityId)],
    ['ATS', textIn(job.atsJobUrl)],
    ['Company', textIn(job.companyId)],
  ];
}

function applicants(job: Fields): string | undefined {
  const counts = Object.entries(fieldsIn(job.applicationCounts)).filter(
    ([, count]) => numberIn(count) !== undefined,
  );
  const fresh = numberIn(job.newApplicantCount) ?? 0;
  if (counts.every(([, count]) => count === 0)) return isLive(job) ? 'none yet' : undefined;
  return [
    ...counts.map(([state, count]) => clean(`${count} ${state}`)),
    ...(fresh > 0 ? [`${fresh} new`] : []),
  ].join(' · ');
}

function qualifications(job: Fields, view: View): string {
  const sorted = inOrder(listIn(job.qualifications));
  const required = sorted.filter(({ kind }) => kind === 'REQUIRED');
  const others = sorted.filter(({ kind }) => kind !== 'REQUIRED');
  return details(
    [...required, ...others].map(({ kind, text }) => [word(kind) ?? '–', textIn(text)]),
    view,
  );
}

function questions(job: Fields, view: View): string {
  return details(
    inOrder(listIn(job.questions)).map(({ prompt, answerFormat, options }, index) => {
      const choices = (Array.isArray(options) ? options : []).map(textIn).join(' · ');
      const format = [word(answerFormat), choices].filter(Boolean).join(': ');
      return [
        String(index + 1),
        [textIn(prompt), format && view.paint('dim', format)].filter(Boolean).join('\n'),
      ];
    }),
    view,
  );
}

function inOrder(entries: readonly Fields[]): Fields[] {
  return [...entries].sort((a, b) => (numberIn(a.order) ?? 0) - (numberIn(b.order) ?? 0));
}

/** Decision 16: what a server answers beyond the contract is shown, not dropped. */
function unknownFields(job: Fields): [string, string | undefined][] {
  return Object.entries(job)
    .filter(([field]) => !Object.hasOwn(JobSchema.shape, field))
    .map(([field, value]) => [field, textIn(value)]);
}

function textBlock(value: unknown): string {
  return typeof value === 'string' ? value : (textIn(value) ?? '');
}
