import { formatCents } from '../../contract/money.ts';
import type { SimulatedDay } from '../../contract/simulation.ts';
import type { View } from '../view.ts';
import { grouped } from './words.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const INDENT = '  ';
const GAP = '  ';
const BAR_MAX_COLUMNS = 40;
/** A shorter bar tells less than the number behind it. */
const BAR_MIN_COLUMNS = 8;
/** In a pipe nothing has to fit. */
const WIDE_COLUMNS = 80;

/**
 * A bar a day: what was spent, of the cap of a day where there is one, else of the largest day. Free applicants are
 * told where there is room.
 */
export function dayChart(days: readonly SimulatedDay[], capCents: number | null, view: View): string {
  const spent = days.map(({ spentCents }) => formatCents(spentCents));
  const free = days.map((day) => (day.free > 0 ? `${grouped(day.free)} free` : ''));
  const [spentColumns, freeColumns] = [widest(spent), widest(free)];
  const room =
    Math.min(view.columns, WIDE_COLUMNS) - INDENT.length - 'Mon 12-31'.length - 2 * GAP.length - spentColumns;
  const tellsFree = freeColumns > 0 && room - GAP.length - freeColumns >= BAR_MIN_COLUMNS;
  const columns = Math.max(1, Math.min(BAR_MAX_COLUMNS, tellsFree ? room - GAP.length - freeColumns : room));
  const scale = capCents ?? Math.max(...days.map(({ spentCents }) => spentCents));
  return days
    .map((day, at) => {
      const parts = [
        INDENT + nameOf(day.startsAt),
        bar(day.spentCents, scale, columns, capCents === null ? ' ' : '░', view),
        (spent[at] ?? '').padStart(spentColumns),
        ...(tellsFree ? [(free[at] ?? '').padStart(freeColumns)] : []),
      ];
      return `${parts.join(GAP).trimEnd()}\n`;
    })
    .join('');
}

/** Full only where all is spent, and empty only where nothing is. */
function bar(spentCents: number, scale: number, columns: number, rest: string, { paint }: View): string {
  const share = scale === 0 ? 0 : Math.min(spentCents / scale, 1);
  const least = spentCents > 0 ? 1 : 0;
  const most = share === 1 ? columns : columns - 1;
  const filled = Math.min(Math.max(Math.round(share * columns), least), most);
  return paint('green', '█'.repeat(filled)) + paint('dim', rest.repeat(columns - filled));
}

/** `Mon 11-23`. */
function nameOf(day: number): string {
  const date = new Date(day);
  return `${WEEKDAYS[date.getUTCDay()]} ${date.toISOString().slice(5, 10)}`;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}
