import { flagFor } from '../intake/fields.ts';

/** How to fill the gaps that keep a job from going live, with the flag of the first that has one. */
export function gapHint(id: number, fields: readonly string[]): string {
  const [flag = 'FILE'] = fields.flatMap((field) => flagFor(field) ?? []);
  return `fill what is missing with \`partner jobs update ${id} ${flag}\`, then \`partner jobs publish ${id}\``;
}
