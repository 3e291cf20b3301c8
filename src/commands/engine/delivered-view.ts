import { details } from '../../cli/terminal/blocks.ts';
import { fieldsIn, listIn, textIn } from '../../cli/terminal/read.ts';
import type { View } from '../../cli/terminal/view.ts';
import { cents, grouped, moment } from '../../cli/terminal/words.ts';

/** One application that was delivered: to what, whether it is qualified, and what it cost. */
export function deliveredOne(application: unknown, job: unknown, view: View): string {
  const { id, jobId, receivedAt, isQualified, charge } = fieldsIn(application);
  return details(
    [
      ['Application', textIn(id)],
      ['Job', titled(jobId, job)],
      ['Received', moment(receivedAt)],
      ['Qualified', isQualified === true ? 'yes' : 'no'],
      ['Cost', cost(charge, view)],
    ],
    view,
  );
}

/** What many applications came to. */
export function deliveredMany(tally: unknown, job: unknown, view: View): string {
  const { jobId, applications, qualified, charged, chargedCents, skipped, skippedCents, skippedBy, seed } =
    fieldsIn(tally);
  return details(
    [
      ['Job', titled(jobId, job)],
      ['Delivered', grouped(applications)],
      ['Qualified', grouped(qualified)],
      ['Charged', `${grouped(charged)} · ${view.paint('bold', cents(chargedCents) ?? '')}`],
      [
        'Free',
        skipped === 0 ? '0' : `${grouped(skipped)}, worth ${cents(skippedCents)}: ${reasons(skippedBy)}`,
      ],
      ['Seed', textIn(seed)],
    ],
    view,
  );
}

/** `charged $15.00`, or why nothing was. */
function cost(charge: unknown, view: View): string {
  const { outcome, amountCents, filled } = fieldsIn(charge);
  if (outcome === 'charged') return `charged ${view.paint('bold', cents(amountCents) ?? '')}`;
  if (outcome === 'skipped') return `${view.paint('green', 'free')}: ${filledWindow(fieldsIn(filled))}`;
  return 'not charged: not qualified';
}

/** Why charges were skipped, each with how often where there are several. */
function reasons(skippedBy: unknown): string {
  const windows = listIn(skippedBy);
  const counted = windows.map((by) => `${grouped(by.applications)} as ${filledWindow(by)}`);
  return windows.length > 1 ? counted.join(', ') : windows.map(filledWindow).join('');
}

function filledWindow({ target, window }: Readonly<Record<string, unknown>>): string {
  return `the ${textIn(window) ?? ''} cap of the ${textIn(target) ?? ''} is filled`;
}

function titled(jobId: unknown, job: unknown): string {
  const { title } = fieldsIn(job);
  return [textIn(jobId), textIn(title)].filter(Boolean).join(' · ');
}
