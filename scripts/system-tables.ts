import { readFileSync, writeFileSync } from 'node:fs';
import { listRows, type System } from '../src/import/system.ts';
import { SYSTEMS } from '../src/import/systems/index.ts';

const SECTION = /(<!-- systems -->\n)[\s\S]*?(<!-- \/systems -->)/;

/** Checks or updates the tables between the page's marks. Returns false if they're outdated or have no marks. */
export async function checkSystemTables(page: URL, isWriting: boolean): Promise<boolean> {
  const before = readFileSync(page, 'utf8');
  if (!SECTION.test(before)) return false;
  const tables = await systemTables();
  const after = before.replace(SECTION, (_, start: string, end: string) => `${start}\n${tables}\n${end}`);
  if (isWriting && after !== before) writeFileSync(page, after);
  return isWriting || after === before;
}

/** Names of posting fields in a listing, if they differ. */
const LISTING_FIELDS: Readonly<Record<string, string>> = {
  workplace: 'remoteOption',
  remoteCountries: 'remoteCountry',
  places: 'locations',
  salaries: 'salaryMin, salaryMax, salaryPeriod',
};

async function systemTables(): Promise<string> {
  const tables: string[] = [];
  for (const [name, load] of Object.entries(SYSTEMS)) {
    const system: System = await load();
    const rows = listRows(system).map(([field, given]) => {
      const sources = (isOwn: boolean): string =>
        given
          .filter(({ isOwnField }) => isOwnField === isOwn)
          .map(({ from }) => `\`${from}\``)
          .join(', else ');
      return `| ${LISTING_FIELDS[field] ?? field} | ${sources(true)} | ${sources(false)} |`;
    });
    const board = system.boardUrl === undefined ? '' : ` or \`${name}:NAME\``;
    const head = ['| Field | Read from | Guessed from |', '|---|---|---|'];
    const names = `\`--from ${name}\`${board}`;
    tables.push([`### ${system.title}`, '', names, '', ...head, ...rows, ''].join('\n'));
  }
  return tables.join('\n');
}
