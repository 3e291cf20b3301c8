import { filledCap } from '../../../cli/budget-table.ts';
import { errorDetails } from '../../../cli/error-view.ts';
import { paragraph } from '../../../cli/terminal/blocks.ts';
import { clean } from '../../../cli/terminal/clean.ts';
import type { Column } from '../../../cli/terminal/column.ts';
import type { ListShape } from '../../../cli/terminal/list-shape.ts';
import type { Style } from '../../../cli/terminal/paint.ts';
import { type Fields, fieldsIn, listIn, numberIn, textIn, timeIn } from '../../../cli/terminal/read.ts';
import { table } from '../../../cli/terminal/table.ts';
import type { View } from '../../../cli/terminal/view.ts';
import { cents, distance } from '../../../cli/terminal/words.ts';
import type { PartnerError } from '../../../contract/errors.ts';

/** What became of one application. */
export type DecisionItem =
  | { readonly id: number; readonly application: unknown }
  | { readonly id: number; readonly error: PartnerError };

const STYLES: Readonly<Record<string, Style>> = { pending: 'cyan', accepted: 'green', rejected: 'dim' };

export const APPLICATION_COLUMNS: readonly Column<Fields>[] = [
  { title: 'ID', text: ({ id }) => textIn(id) ?? '', value: ({ id }) => numberIn(id) },
  { title: 'JOB', text: ({ jobId }) => textIn(jobId) ?? '', value: ({ jobId }) => numberIn(jobId) },
  {
    title: 'STATUS',
    text: ({ status }) => textIn(status) ?? '',
    style: ({ status }) => styleOf(textIn(status) ?? ''),
  },
  { title: 'NAME', text: (application) => nameOf(application) ?? '', shrinksTo: 12 },
  { title: 'EMAIL', text: ({ email }) => textIn(email) ?? '', shrinksTo: 14, givesWay: 2 },
  { title: 'QUALIFIED', text: ({ isQualified }) => (isQualified === true ? 'yes' : 'no'), givesWay: 4 },
  {
    title: 'RECEIVED',
    text: ({ receivedAt }, now) => distance(receivedAt, now) ?? '',
    whole: ({ receivedAt }) => textIn(receivedAt) ?? '',
    value: ({ receivedAt }) => timeIn(receivedAt),
    givesWay: 3,
  },
  {
    title: 'COST',
    text: ({ charge }) => costOf(charge) ?? '',
    value: ({ charge }) => chargedCents(charge),
    csv: { title: 'COST_CENTS', cell: ({ charge }) => String(chargedCents(charge)) },
    givesWay: 1,
  },
];

/** Applications, one a line, each with what it has cost. */
export function applicationTable(
  applications: unknown,
  view: View,
  shape?: ListShape<Fields>,
): Promise<string> {
  return table(APPLICATION_COLUMNS, listIn(applications), view, 'No applications.', shape);
}

/** One line for each application that was decided on, and why for each that was not. */
export function decisionLines(
  decision: 'accepted' | 'rejected',
  items: readonly DecisionItem[],
  view: View,
): string {
  const done = decision === 'accepted' ? 'Accepted' : 'Rejected';
  return items
    .map((item) => {
      if ('error' in item) {
        const { id, error } = item;
        const line = `${view.paint('red', '✗')} ${id}: ${clean(error.message)}`;
        return paragraph(line, view) + errorDetails(error, view);
      }
      const application = fieldsIn(item.application);
      const who = [textIn(item.id), nameOf(application)].filter(Boolean).join(' ');
      const job = textIn(application.jobId) ?? 'unknown';
      return paragraph(`${view.paint('green', '✓')} ${done} ${who} · job ${job}`, view);
    })
    .join('');
}

/** How a status is painted. */
export function styleOf(status: string): Style | undefined {
  return Object.hasOwn(STYLES, status) ? STYLES[status] : undefined;
}

/** First and last name; undefined where there is neither. */
export function nameOf({ firstName, lastName }: Fields): string | undefined {
  return [textIn(firstName), textIn(lastName)].filter(Boolean).join(' ') || undefined;
}

/** `$15.00`; `skipped: job's daily cap`; undefined for an applicant who is not paid for. */
export function costOf(charge: unknown): string | undefined {
  const { outcome, amountCents, filled } = fieldsIn(charge);
  if (outcome === 'charged') return cents(amountCents);
  if (outcome === 'skipped') return `skipped: ${filledCap(filled) ?? 'a cap'}`;
  return undefined;
}

function chargedCents(charge: unknown): number {
  const { outcome, amountCents } = fieldsIn(charge);
  return outcome === 'charged' ? (numberIn(amountCents) ?? 0) : 0;
}
