import { paragraph } from '../../cli/terminal/blocks.ts';
import { clean } from '../../cli/terminal/clean.ts';
import type { View } from '../../cli/terminal/view.ts';

/** One thing that `partner doctor` looked at. */
export interface CheckItem {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do, where it is not as it should be. */
  readonly advice?: string | undefined;
}

/** One line a check, and what to do below those that failed. */
export function checkLines(items: readonly CheckItem[], view: View): string {
  const width = Math.max(...items.map(({ name }) => name.length));
  return items
    .map(({ name, ok, found, advice }) => {
      const sign = ok ? view.paint('green', '✓') : view.paint('red', '✗');
      const next =
        advice === undefined ? '' : paragraph(`  ${view.paint('dim', '→')} ${clean(advice)}`, view);
      return paragraph(`${sign} ${name.padEnd(width)}  ${clean(found)}`, view) + next;
    })
    .join('');
}
