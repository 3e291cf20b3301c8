import { readFileSync } from 'node:fs';
import { COMPLETE_LISTING } from '../../contract/complete-listing.ts';

export interface Mistake {
  readonly title: string;
  readonly file: string;
  readonly bytes: Buffer;
  readonly says: string;
}

const TABLE = new URL('mistakes.md', import.meta.url);

/** A valid listing that the lines of each mistake are added to. */
const { budgets: _, ...RIGHT } = COMPLETE_LISTING;
const LISTING = { ...RIGHT, budgets: [{ window: 'MONTHLY', budgetCents: 50_000 }] };

export function mistakes(): Mistake[] {
  const [, ...rows] = readFileSync(TABLE, 'utf8').split(/^## /m);
  return rows.map((row) => {
    const [, title = '', given = '', says = ''] = /^(.*)\n([\s\S]*?)->\n?([\s\S]*)$/.exec(row) ?? [];
    const [, file, encoding = 'utf8', text = ''] = /^file: (\S+)(?: in (\S+))?\n([\s\S]*)$/.exec(given) ?? [];
    const content = file === undefined ? listingWith(given) : text.replace(/^…$/m, otherLines(text));
    const bytes = Buffer.from(content, encoding as BufferEncoding);
    return { title, file: file ?? 'job.json', bytes, says: says.trimEnd() };
  });
}

/** The line `…` of a YAML file stands for the fields it doesn't set. */
function otherLines(text: string): string {
  const others = Object.entries(LISTING).filter(([name]) => !text.includes(`${name}:`));
  return others.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join('\n');
}

/** Adds the lines to the listing in place of the fields they set; `without:` lists fields to omit. */
function listingWith(given: string): string {
  const [, lines = '', without = ''] = /^([\s\S]*?)\n(?:without: (.*)\n)?$/.exec(given) ?? [];
  const names = [...lines.matchAll(/^"(\w+)":/gm)].map(([, name]) => name);
  const left = Object.entries(LISTING).filter(
    ([name]) => !names.includes(name) && !without.split(', ').includes(name),
  );
  return `{\n${lines},\n${JSON.stringify(Object.fromEntries(left), null, 2).slice(2)}\n`;
}
