import { details } from './blocks.ts';
import { clean } from './clean.ts';
import type { View } from './view.ts';

/** One line a field: its name, what is wrong with it, what mends it. */
export function fieldLines(fields: readonly (readonly [field: string, wrong: string])[], view: View): string {
  return details(
    fields.map(([field, wrong]) => {
      const flag = view.mend(field);
      // What was found before sending names the flag itself.
      const isNamed = flag === undefined || wrong.includes(flag);
      return [field, isNamed ? clean(wrong) : `${clean(wrong)} (${view.paint('cyan', flag)})`];
    }),
    view,
  );
}
