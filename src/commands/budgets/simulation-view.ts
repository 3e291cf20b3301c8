import type { Column, ListShape } from '../../cli/terminal/column.ts';
import { table } from '../../cli/terminal/table.ts';
import { clean, details, paragraph, section, type View } from '../../cli/terminal/view.ts';
import { amountColumn, moment, word } from '../../cli/terminal/words.ts';
import { capBelowBid } from '../../contract/gate.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { counted, formatCents, grouped } from '../../contract/words.ts';
import type { SimulatedWindow, Tally } from '../../engine/billing/simulate.ts';
import { isoTime, type SimulationReport } from './simulation.ts';

export const SIMULATION_COLUMNS: readonly Column<SimulatedWindow>[] = [
  { title: 'WINDOW', text: ({ window }) => window, value: ({ window }) => BUDGET_WINDOWS.indexOf(window) },
  { title: 'OF', text: ({ target }) => target, shrinksTo: 3 },
  {
    title: 'STARTS',
    text: ({ startsAt }) => (isoTime(startsAt) ?? '').slice(0, 10),
    short: ({ startsAt }) => (isoTime(startsAt) ?? '').slice(5, 10),
    whole: ({ startsAt }) => isoTime(startsAt) ?? '',
    value: ({ startsAt }) => startsAt ?? undefined,
  },
  {
    title: 'FILLED AT',
    text: ({ filledAt }) => moment(isoTime(filledAt)) ?? '',
    short: ({ filledAt }) => (isoTime(filledAt) ?? '').slice(5, 16).replace('T', ' '),
    whole: ({ filledAt }) => isoTime(filledAt) ?? '',
    value: ({ filledAt }) => filledAt ?? undefined,
  },
  { ...amountColumn('CAP', ({ capCents }) => capCents), givesWay: 3 },
  { ...amountColumn('SPENT', ({ spentCents }) => spentCents), givesWay: 1 },
  number('DELIVERED', ({ delivered }) => delivered, 4),
  number('CHARGED', ({ charged }) => charged, 2),
  number('FREE', ({ free }) => free),
];

function number(title: string, of: (row: SimulatedWindow) => number, givesWay?: number) {
  const text = (row: SimulatedWindow) => grouped(of(row));
  const whole = (row: SimulatedWindow) => String(of(row));
  return { title, text, whole, value: of, align: 'right', givesWay } as const;
}

/** What was assumed, each window, and what it comes to. A pipe gets the windows alone. */
export async function simulationView(
  report: SimulationReport,
  view: View,
  shape?: ListShape<SimulatedWindow>,
): Promise<string> {
  const { windows, totals, most } = report.simulated;
  const shown = await table(SIMULATION_COLUMNS, windows, view, 'No caps: no window fills.', shape);
  if (!view.isTerminal || shape?.csv) return shown;
  const limit = (cents: number | null) => (cents === null ? 'unlimited' : formatCents(cents));
  const limits = [
    ['In a day', limit(most.perDayCents)],
    ['In a week', limit(most.perWeekCents)],
    ['In a month', limit(most.perMonthCents)],
    ['In all', limit(most.inAllCents)],
  ] as const;
  return [
    paragraph(assumption(report), view),
    `\n${shown}`,
    section('In all', details(totalRows(totals, report.terms.bidCents), view), view),
    section('The most that can be invoiced', details(limits, view), view),
  ].join('');
}

/** Warnings about caps that not one bid fits into, and why a pipe has no rows. */
export function simulationNotes({ terms, simulated }: SimulationReport, view: View): string[] {
  const warnings = simulated.capsBelowBid.map(({ target, window, capCents }) => {
    const { bidCents } = terms;
    const cap = `warning: the ${target}'s ${word(window)} cap of ${formatCents(capCents)}`;
    return capCents === 0
      ? `${cap} stops all spending: candidates would not see the job`
      : `${cap} is less than one bid (${formatCents(bidCents)}): ${capBelowBid(bidCents)}`;
  });
  const isEmpty = simulated.windows.length === 0 && !view.isTerminal;
  return isEmpty ? [...warnings, 'no caps: there is no window to list; `--json` has the totals'] : warnings;
}

/** `612 applicants, 20 a day on average (seed 1), 100 % qualified, …`. */
function assumption({ terms, file, ratePerDay, qualifiedShare, seed, jobId, simulated }: SimulationReport) {
  const { outside } = simulated;
  const { delivered } = simulated.totals;
  const ofFile = file === '-' ? 'stdin' : clean(file ?? '');
  const source = file === null ? `${grouped(ratePerDay ?? 0)} a day on average` : `from ${ofFile}`;
  const [from, to] = [terms.startsAt, terms.endsAt].map((time) => moment(isoTime(time)));
  const parts = [
    `${jobId === null ? '' : `Job ${jobId}: `}${grouped(delivered)} ${delivered === 1 ? 'applicant' : 'applicants'}`,
    seed === null ? source : `${source} (seed ${seed})`,
    ...(qualifiedShare === null ? [] : [`${Number((qualifiedShare * 100).toFixed(2))} % qualified`]),
    `${formatCents(terms.bidCents)} for a qualified one`,
    `${from} to ${to}`,
  ];
  const left = ` ${counted(outside, 'applicant')} came at other times and ${outside === 1 ? 'is' : 'are'} left out.`;
  return `${parts.join(', ')}.${outside === 0 ? '' : left}`;
}

function totalRows({ delivered, charged, free, unqualified, spentCents }: Tally, bidCents: number) {
  const isFree = `${grouped(free)}, ${formatCents(free * bidCents)} that is never charged`;
  return [
    ['Spent', formatCents(spentCents)],
    ['Delivered', grouped(delivered)],
    ['Charged', grouped(charged)],
    ['Free', free > 0 ? isFree : '0'],
    ['Not qualified', unqualified > 0 ? grouped(unqualified) : undefined],
  ] as const;
}
