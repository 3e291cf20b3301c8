import { describeFilledCap } from '../../../cli/caps.ts';
import type { Column } from '../../../cli/terminal/table.ts';
import {
  clean,
  cleanBlock,
  type Detail,
  details,
  paragraph,
  type Style,
  section,
  successText,
  type View,
} from '../../../cli/terminal/view.ts';
import { distance, moment, timeColumn, word } from '../../../cli/terminal/words.ts';
import type { ApplicationStatus } from '../../../contract/values.ts';
import { formatCents } from '../../../contract/words.ts';
import type {
  ListedApplication,
  WholeApplication,
} from '../../../engine/applications/company-applications.ts';
import type { ChargeDecision } from '../../../engine/billing/charge.ts';

export type SavedFile = WholeApplication['files'][number] & { readonly savedAs?: string };

const STYLES: Readonly<Record<ApplicationStatus, Style>> = {
  pending: 'cyan',
  accepted: 'green',
  rejected: 'dim',
};

export const APPLICATION_COLUMNS: readonly Column<ListedApplication>[] = [
  { title: 'ID', text: ({ id }) => String(id), value: ({ id }) => id },
  { title: 'JOB', text: ({ jobId }) => String(jobId), value: ({ jobId }) => jobId },
  { title: 'STATUS', text: ({ status }) => status, style: ({ status }) => STYLES[status] },
  { title: 'NAME', text: formatApplicant, shrinksTo: 12 },
  { title: 'EMAIL', text: ({ email }) => email, shrinksTo: 14, givesWay: 2 },
  { title: 'QUALIFIED', text: ({ isQualified }) => (isQualified ? 'yes' : 'no'), givesWay: 4 },
  { ...timeColumn('RECEIVED', ({ receivedAt }) => receivedAt), givesWay: 3 },
  {
    title: 'COST',
    text: ({ charge }) => formatCharge(charge) ?? '',
    value: ({ charge }) => getChargedCents(charge),
    csv: [{ title: 'COST_CENTS', text: ({ charge }) => String(getChargedCents(charge)) }],
    givesWay: 1,
  },
];

export function decisionLine(application: ListedApplication, view: View): string {
  const done = application.status === 'accepted' ? 'Accepted' : 'Rejected';
  const line = `${done} ${application.id} ${clean(formatApplicant(application))} · job ${application.jobId}`;
  return successText(line, view);
}

export function applicationCard(
  application: Omit<WholeApplication, 'files'> & { readonly files: readonly SavedFile[] },
  view: View,
): string {
  return [
    heading(application, view),
    '\n',
    details(facts(application, view), view),
    section('Qualifications', qualifications(application, view), view),
    section('Answers', answers(application, view), view),
    section('Files', files(application.files, view), view),
  ].join('');
}

function heading(application: Omit<WholeApplication, 'files'>, view: View): string {
  const { id, status, jobId, jobTitle } = application;
  const line = `application ${id} · ${view.paint(STYLES[status], status)} · job ${jobId} ${clean(jobTitle)}`;
  return paragraph(view.paint('bold', clean(formatApplicant(application))), view) + paragraph(line, view);
}

function facts(application: ListedApplication, view: View): [string, string | undefined][] {
  const { email, phone, location, receivedAt, decidedAt, isQualified, charge } = application;
  return [
    ['Email', clean(email)],
    ['Phone', clean(phone)],
    ['Location', clean(location)],
    ['Received', `${moment(receivedAt)} (${distance(receivedAt, view.now)})`],
    ['Decided', moment(decidedAt)],
    ['Qualified', isQualified ? 'yes' : "no (a required qualification isn't met)"],
    ['Cost', formatCharge(charge) ?? 'none (only qualified applicants are charged)'],
    ['Not charged', charge.outcome === 'skipped' ? formatCents(charge.amountCents) : undefined],
  ];
}

function qualifications({ matched }: Pick<WholeApplication, 'matched'>, view: View): string {
  const rows = matched.map(({ qualification: { text, kind }, isMet }): Detail => {
    const note = `(${word(kind)}, ${isMet ? 'met' : 'not met'})`;
    return [isMet ? '✓' : '✗', `${clean(text)} ${view.paint('dim', note)}`];
  });
  return details(rows, view);
}

function answers({ answered }: Pick<WholeApplication, 'answered'>, view: View): string {
  const rows = answered.map(({ question: { prompt, answerFormat }, answer }, index): Detail => {
    const given = answerFormat === 'FILE' && answer !== undefined ? 'a file (see below)' : answerText(answer);
    return [String(index + 1), `${view.paint('dim', clean(prompt))}\n${given}`];
  });
  return details(rows, view);
}

function answerText(answer: WholeApplication['answered'][number]['answer']): string {
  if (answer === undefined || answer === null) return 'not answered';
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  if (typeof answer === 'string') return cleanBlock(answer);
  return typeof answer === 'number' ? String(answer) : clean(answer.join(', '));
}

function files(files: readonly SavedFile[], view: View): string {
  const rows = files.map(({ question, name, bytes, savedAs }): Detail => {
    const size = `${clean(name)} · ${Math.ceil(bytes / 1024)} KiB`;
    const saved = savedAs === undefined ? '' : `\nsaved as ${clean(savedAs)}`;
    return [question?.prompt ?? 'Resume', size + saved];
  });
  return details(rows, view);
}

function formatApplicant({ firstName, lastName }: ListedApplication): string {
  return `${firstName} ${lastName}`;
}

/** Returns `$15.00`, `skipped: job's daily cap`, or undefined if the applicant isn't qualified. */
function formatCharge(charge: ChargeDecision): string | undefined {
  if (charge.outcome === 'none') return undefined;
  return charge.outcome === 'charged'
    ? formatCents(charge.amountCents)
    : `skipped: ${describeFilledCap(charge.filled)}`;
}

function getChargedCents(charge: ChargeDecision): number {
  return charge.outcome === 'charged' ? charge.amountCents : 0;
}
