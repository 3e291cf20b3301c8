import { type Column, type ListShape, table } from '../../cli/terminal/table.ts';
import { clean, details, paragraph, section, type View } from '../../cli/terminal/view.ts';
import { amountColumn, moment, timeColumn, word } from '../../cli/terminal/words.ts';
import { capBelowBid } from '../../contract/gate.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { formatCents, formatCount, formatNumber } from '../../contract/words.ts';
import type { Tally } from '../../engine/billing/simulate.ts';
import type { ReportedWindow, SimulationReport } from './simulation.ts';

export const SIMULATION_COLUMNS: readonly Column<ReportedWindow>[] = [
  { title: 'WINDOW', text: ({ window }) => window, value: ({ window }) => BUDGET_WINDOWS.indexOf(window) },
  { title: 'OF', text: ({ target }) => target, shrinksTo: 3 },
  {
    ...timeColumn('STARTS', ({ startsAt }) => startsAt),
    text: ({ startsAt }) => (startsAt ?? '').slice(0, 10),
    short: ({ startsAt }) => (startsAt ?? '').slice(5, 10),
  },
  {
    ...timeColumn('FILLED AT', ({ filledAt }) => filledAt, moment),
    short: ({ filledAt }) => (filledAt ?? '').slice(5, 16).replace('T', ' '),
  },
  { ...amountColumn('CAP', ({ capCents }) => capCents), givesWay: 3 },
  { ...amountColumn('SPENT', ({ spentCents }) => spentCents), givesWay: 1 },
  numberColumn('DELIVERED', ({ delivered }) => delivered, 4),
  numberColumn('CHARGED', ({ charged }) => charged, 2),
  numberColumn('FREE', ({ free }) => free),
];

function numberColumn(title: string, of: (row: ReportedWindow) => number, givesWay?: number) {
  const text = (row: ReportedWindow) => formatNumber(of(row));
  const whole = (row: ReportedWindow) => String(of(row));
  return { title, text, whole, value: of, align: 'right', givesWay } as const;
}

export async function simulationView(
  report: SimulationReport,
  view: View,
  shape?: ListShape<ReportedWindow>,
): Promise<string> {
  const { assumed, items, totals, most } = report;
  const none = 'No cap is set, so no window fills up.';
  const shown = await table(SIMULATION_COLUMNS, items, view, none, shape);
  if (!view.isTerminal || shape?.csv) return shown;
  const limit = (cents: number | null) => (cents === null ? 'unlimited' : formatCents(cents));
  const limits = [
    ['Per day', limit(most.perDayCents)],
    ['Per week', limit(most.perWeekCents)],
    ['Per month', limit(most.perMonthCents)],
    ['Total', limit(most.inAllCents)],
  ] as const;
  return [
    paragraph(describeAssumption(report), view),
    `\n${shown}`,
    section('Total', details(totalRows(totals, assumed.bidCents), view), view),
    section('Maximum invoice', details(limits, view), view),
  ].join('');
}

export function simulationNotes(
  { assumed: { bidCents }, items, capsBelowBid }: SimulationReport,
  view: View,
): string[] {
  const warnings = capsBelowBid.map(({ target, window, capCents }) => {
    const cap = `warning: the ${target}'s ${word(window)} cap of ${formatCents(capCents)}`;
    return capCents === 0
      ? `${cap} stops all spending and hides the job from candidates`
      : `${cap} is less than one bid (${formatCents(bidCents)}): ${capBelowBid(bidCents)}`;
  });
  const isEmpty = items.length === 0 && !view.isTerminal;
  return isEmpty
    ? [...warnings, 'no caps, so there are no windows to list. `--json` includes the totals']
    : warnings;
}

/** Returns `612 applicants, 20 per day on average (seed 1), 100% qualified, …`. */
function describeAssumption({ assumed, totals: { outside, delivered } }: SimulationReport) {
  const { jobId, bidCents, file, ratePerDay, qualifiedShare, seed } = assumed;
  const ofFile = file === '-' ? 'stdin' : clean(file ?? '');
  const source = file === null ? `${formatNumber(ratePerDay ?? 0)} per day on average` : `from ${ofFile}`;
  const parts = [
    `${jobId === null ? '' : `Job ${jobId}: `}${formatCount(delivered, 'applicant')}`,
    seed === null ? source : `${source} (seed ${seed})`,
    ...(qualifiedShare === null ? [] : [`${Number((qualifiedShare * 100).toFixed(2))}% qualified`]),
    `${formatCents(bidCents)} per qualified applicant`,
    `${moment(assumed.startsAt)} to ${moment(assumed.endsAt)}`,
  ];
  const left = ` ${formatCount(outside, 'applicant')} outside this period ${outside === 1 ? 'is' : 'are'} ignored.`;
  return `${parts.join(', ')}.${outside === 0 ? '' : left}`;
}

function totalRows({ delivered, charged, free, unqualified, spentCents }: Tally, bidCents: number) {
  const isFree = `${formatNumber(free)}, ${formatCents(free * bidCents)} never charged`;
  return [
    ['Spent', formatCents(spentCents)],
    ['Delivered', formatNumber(delivered)],
    ['Charged', formatNumber(charged)],
    ['Free', free > 0 ? isFree : '0'],
    ['Not qualified', unqualified > 0 ? formatNumber(unqualified) : undefined],
  ] as const;
}
