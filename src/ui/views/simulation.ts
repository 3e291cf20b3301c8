import { formatCents } from '../../contract/money.ts';
import type { CapBelowBid, SimulatedWindow, SimulationReport } from '../../contract/simulation.ts';
import { BUDGET_WINDOWS } from '../../contract/values.ts';
import { details, paragraph, section } from '../blocks.ts';
import { clean } from '../clean.ts';
import type { Column } from '../column.ts';
import type { ListShape } from '../list-shape.ts';
import { table } from '../table.ts';
import type { View } from '../view.ts';
import { dayChart } from './day-chart.ts';
import { counted, grouped, moment, word } from './words.ts';

/** The windows of a run. */
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
  amount('CAP', ({ capCents }) => capCents, 3),
  amount('SPENT', ({ spentCents }) => spentCents, 1),
  number('DELIVERED', ({ delivered }) => delivered, 4),
  number('CHARGED', ({ charged }) => charged, 2),
  number('FREE', ({ free }) => free),
];

function amount(
  title: string,
  of: (row: SimulatedWindow) => number,
  givesWay: number,
): Column<SimulatedWindow> {
  const csv = { title: `${title}_CENTS`, cell: (row: SimulatedWindow) => String(of(row)) };
  return { title, text: (row) => formatCents(of(row)), value: of, csv, align: 'right', givesWay };
}

function number(
  title: string,
  of: (row: SimulatedWindow) => number,
  givesWay?: number,
): Column<SimulatedWindow> {
  const text = (row: SimulatedWindow): string => grouped(of(row)) ?? '';
  return { title, text, whole: (row) => String(of(row)), value: of, align: 'right', givesWay };
}

/** A run as people read it: what was assumed, each window, each day, and what it comes to. A pipe gets the windows. */
export async function simulationView(
  report: SimulationReport,
  view: View,
  shape?: ListShape<SimulatedWindow>,
): Promise<string> {
  const { simulated } = report;
  const windows = await table(
    SIMULATION_COLUMNS,
    simulated.windows,
    view,
    'No caps: no window fills.',
    shape,
  );
  if (!view.isTerminal || shape?.isCsv) return windows;
  const cap = dailyCap(report);
  const spentADay = cap === null ? 'Spent a day' : `Spent a day, of ${formatCents(cap)}`;
  return [
    paragraph(assumption(report), view),
    `\n${windows}`,
    section(spentADay, dayChart(simulated.days, cap, view), view),
    section('In all', totals(report, view), view),
    section('The most that can be invoiced', most(report, view), view),
  ].join('');
}

/** What is to be known of a run besides its result: caps that not one bid fits into, and a pipe without a row. */
export function simulationNotes({ belowBid, terms, simulated }: SimulationReport, view: View): string[] {
  const warnings = belowBid.map((cap) => `warning: ${belowBidText(cap, terms.bidCents)}`);
  const isEmpty = simulated.windows.length === 0 && !view.isTerminal;
  return isEmpty ? [...warnings, 'no caps: there is no window to list; `--json` has the totals'] : warnings;
}

function belowBidText({ target, window, capCents }: CapBelowBid, bidCents: number): string {
  const cap = `the ${target}'s ${word(window)} cap of ${formatCents(capCents)}`;
  const why = capCents === 0 ? 'stops all spending' : `is less than one bid (${formatCents(bidCents)})`;
  return `${cap} ${why}: nothing would ever be charged, and candidates would not see the job`;
}

/** `612 applicants, 20 a day on average (seed 1), all qualified, …`. */
function assumption({
  terms,
  file,
  ratePerDay,
  qualifiedShare,
  seed,
  jobId,
  simulated,
}: SimulationReport): string {
  const { delivered } = simulated.totals;
  const source =
    file === null
      ? `${grouped(ratePerDay)} a day on average`
      : `from ${file === '-' ? 'stdin' : clean(file)}`;
  const [from, to] = [terms.startsAt, terms.endsAt].map((time) => moment(isoTime(time)));
  const parts = [
    `${jobId === null ? '' : `Job ${jobId}: `}${grouped(delivered)} ${delivered === 1 ? 'applicant' : 'applicants'}`,
    seed === null ? source : `${source} (seed ${seed})`,
    qualifiedShare !== null && qualifiedText(qualifiedShare),
    `${formatCents(terms.bidCents)} for a qualified one`,
    `${from} to ${to}`,
  ];
  const { outside } = simulated;
  const left =
    outside === 0
      ? ''
      : ` ${counted(outside, 'applicant')} came at other times and ${outside === 1 ? 'is' : 'are'} left out.`;
  return `${parts.filter(Boolean).join(', ')}.${left}`;
}

function qualifiedText(share: number): string {
  if (share === 1) return 'all qualified';
  return share === 0 ? 'none qualified' : `${Number((share * 100).toFixed(2))} % qualified`;
}

function totals({ simulated, terms }: SimulationReport, view: View): string {
  const { delivered, charged, free, unqualified, spentCents } = simulated.totals;
  return details(
    [
      ['Spent', formatCents(spentCents)],
      ['Delivered', grouped(delivered)],
      ['Charged', grouped(charged)],
      [
        'Free',
        free > 0 ? `${grouped(free)}, ${formatCents(free * terms.bidCents)} that is never charged` : '0',
      ],
      ['Not qualified', unqualified > 0 ? grouped(unqualified) : undefined],
    ],
    view,
  );
}

function most({ most }: SimulationReport, view: View): string {
  const shown = (cents: number | null): string => (cents === null ? 'unlimited' : formatCents(cents));
  return details(
    [
      ['In a day', shown(most.perDayCents)],
      ['In a week', shown(most.perWeekCents)],
      ['In a month', shown(most.perMonthCents)],
      ['In all', shown(most.inAllCents)],
    ],
    view,
  );
}

/** The tighter of the job's daily cap and the company's. */
function dailyCap({ terms }: SimulationReport): number | null {
  const caps = [...terms.budgets.job, ...terms.budgets.company].filter(({ window }) => window === 'DAILY');
  return caps.length === 0 ? null : Math.min(...caps.map(({ budgetCents }) => budgetCents));
}

function isoTime(time: number | null): string | undefined {
  return time === null ? undefined : new Date(time).toISOString();
}
