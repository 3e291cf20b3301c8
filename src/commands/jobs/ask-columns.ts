import { confirm } from '../../cli/terminal/ask.ts';
import type { Streams } from '../../cli/terminal/streams.ts';
import type { MappedColumn } from '../../listings/defaults/propose-columns.ts';
import type { Proposal } from '../../listings/defaults/propose-mapping.ts';
import { COLUMNS } from '../../listings/read/table/columns.ts';

/** Asks the user to confirm the field of each unclear column. */
export async function askAboutColumns(streams: Streams, proposal: Proposal): Promise<Proposal> {
  const columns: MappedColumn[] = [];
  let { currency } = proposal;
  for (const { doubt, candidate, needsCurrency, ...known } of proposal.columns) {
    const { name, example } = known;
    const column = `"${name}" (e.g. "${example.slice(0, 40)}")`;
    const question = needsCurrency
      ? `Is ${column} in US dollars?`
      : `Map ${column} to "${candidate && COLUMNS[candidate].header}"?`;
    const isTaken = columns.some(({ field }) => field === candidate);
    const isKnown = needsCurrency && currency !== undefined;
    const ask = () => confirm(streams, question, '--no-input');
    const isYes = candidate && !isTaken && (isKnown || (await ask()));
    if (isYes && needsCurrency) currency = 'USD';
    columns.push(isYes ? { ...known, field: candidate } : known);
  }
  return { ...proposal, columns, currency };
}
