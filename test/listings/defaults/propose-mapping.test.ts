import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { checkListing } from '../../../src/listings/check/findings.ts';
import { createDefaults, readListings } from '../../../src/listings/defaults/defaults.ts';
import { writeMapping } from '../../../src/listings/defaults/mapping.ts';
import { proposeMapping } from '../../../src/listings/defaults/propose-mapping.ts';
import { guessPlaces } from '../../../src/listings/places/guess-places.ts';
import { createPlaceMemory } from '../../../src/listings/places/place-problems.ts';
import { writeXlsx } from '../../../src/listings/write/sheet.ts';
import { openPlaces } from '../../../src/places/index/open.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { tempDirectory } from '../../temp-directory.ts';
import tables from './tables.json' with { type: 'json' };

interface Table {
  readonly what: string;
  readonly file?: string;
  readonly defaults?: readonly string[];
  readonly lines: readonly string[];
  /** Proposed fields by column name. A doubtful one starts with `?`. */
  readonly names: Readonly<Record<string, string>>;
  readonly country?: string;
  /** Guessed and ignored values, with their key in `_defaults.yaml`. */
  readonly unclear?: readonly string[];
  readonly listings: readonly object[];
  /** Level, line and message. */
  readonly findings: readonly string[];
}

const PLACES = openPlaces(PLACES_PATH);
const MEMORY = createPlaceMemory({ places: PLACES });
/** Passed with `--sheet`. */
const SHEETS = new Map([['a.xlsx', 'Jobs']]);
const input = { stdin: Readable.from([]) };

describe('the proposed mapping of a file', () => {
  const at = tempDirectory();

  async function propose(name: string, content: string | Uint8Array, defaults?: string, maps = true) {
    const directory = at(name.replace(/\W/g, '-'));
    await mkdir(directory, { recursive: true });
    const file = `${directory}/${name}`;
    await rm(`${directory}/_defaults.yaml`, { force: true });
    await writeFile(file, content);
    if (defaults !== undefined) await writeFile(`${directory}/_defaults.yaml`, defaults);
    const mapping = (await createDefaults(input, [file])(file))?.mapping;
    const reading = { mapping, sheet: SHEETS.get(name) };
    const proposal = maps ? await proposeMapping(file, input, reading, PLACES) : undefined;
    const written = proposal && (await writeMapping(file, proposal, false));
    const names = proposal?.columns.map(({ name: theirs, field, candidate, doubt }) => [
      theirs,
      doubt === undefined ? field : field === 'ignore' ? `?${candidate ?? 'taken'}` : `${field}?`,
    ]);
    const [listings, findings]: [unknown[], string[]] = [[], []];
    for await (const { listing: given, finding } of readListings({ names: [file], named: [file] }, input)) {
      const listing = given && (await guessPlaces(given, MEMORY, 50));
      if (listing !== undefined) listings.push(listing.value);
      const found = listing ? checkListing(listing, { draft: true, places: PLACES }).findings : [finding];
      const said = found.filter((one) => one?.rule !== 'incomplete' && one?.rule !== 'no-cap');
      findings.push(...said.map((one) => `${one?.level} ${one?.line} ${one?.message}`));
    }
    const { country, unclear = [] } = proposal ?? {};
    return {
      names: Object.fromEntries(names ?? []),
      listings,
      findings,
      written,
      ...(country && { country }),
      ...(unclear.length > 0 && {
        unclear: unclear.map(
          ({ part, text, to, doubt }) => `${part}: ${text}: ${[to].flat().join(' · ')} # ${doubt}`,
        ),
      }),
    };
  }

  for (const { what, file = 'a.csv', defaults, lines, ...expected } of tables as readonly Table[])
    it(`${what} is read without a wrong value, and everything uncertain is reported`, async () => {
      const maps = Object.keys(expected.names).length > 0;
      const { written: _, ...found } = await propose(file, lines.join('\n'), defaults?.join('\n'), maps);
      assert.deepEqual(found, expected);
    });

  it('keeps the entries and comments of a _defaults.yaml, and is complete after one run', async () => {
    const table = 'Job title;Kostenstelle;Einrichtung\nCook;7;Austin, TX\n';
    const before = '# ours\ncolumns:\n  kostenstelle: opportunityId # the ID\njobType: FULL_TIME\n';
    const { written, listings } = await propose('kept.csv', table, before);
    assert.match(
      String(written?.text),
      /^# ours\ncolumns:\n {2}kostenstelle: opportunityId # the ID\n {2}Einrichtung: /,
    );
    assert.deepEqual(listings, [{ title: 'Cook', opportunityId: '7', jobType: 'FULL_TIME' }]);
    const { mapping } = (await createDefaults(input)(at('kept-csv/kept.csv'))) ?? {};
    const again = await proposeMapping(at('kept-csv/kept.csv'), input, { mapping }, PLACES);
    assert.equal((await writeMapping(at('kept-csv/kept.csv'), again, false)).isNeeded, false);
  });

  it('reports wrong entries of a _defaults.yaml at their lines', async () => {
    const wrong =
      'columns:\n  Job: tittel\nheaderRow: 0\nsheet: 3\ncurrency: dollars\nfields: [a]\nvalues: { CT: 3 }\n';
    const { findings } = await propose('wrong.csv', 'Job title;City\nCook;Waco\n', wrong);
    assert.deepEqual(findings, [
      'error 2 "tittel" isn\'t a field of a listing',
      'error 3 must be the number of a row',
      'error 4 must be the name of a sheet',
      'error 5 must be a currency code of three capital letters',
      'error 6 must be a map of their names to ours',
      'error 7 must be text',
    ]);
  });

  it('reports an unknown column without a row, and with the name of the file in the command', async () => {
    const names = [at('my jobs.csv')];
    await writeFile(at('my jobs.csv'), 'Job title,Boss\nCook,Ada\nWaiter,Ada\n');
    for await (const { listing } of readListings({ names, named: names }, input)) {
      const found = listing ? checkListing(listing, { draft: true, places: PLACES }).findings[0] : undefined;
      assert.equal(found?.listing, undefined);
      assert.match(String(found?.hint ?? listing?.label), /^run `partner jobs map '.*my jobs\.csv'`|row 3/);
    }
  });

  it('names the second sheet if the first has no listings', async () => {
    const { unzipSync, zipSync, strFromU8, strToU8 } = await import('fflate');
    const parts = unzipSync(await writeXlsx([{ title: 'Nurse', jobType: 'FULL_TIME' }]));
    const book = strFromU8(parts['xl/workbook.xml'] ?? new Uint8Array());
    const two = book.replace(
      /<sheet [^>]*>/,
      (sheet) => `<sheet name="Read &amp; me" sheetId="9" r:id="rId9"/>${sheet}`,
    );
    const empty =
      '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Notes</v></c></row></sheetData></worksheet>';
    const relations = strFromU8(parts['xl/_rels/workbook.xml.rels'] ?? new Uint8Array());
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
    const nine = `<Relationship Id="rId9" Type="${type}" Target="worksheets/sheet9.xml"/></Relationships>`;
    const workbook = zipSync({
      ...parts,
      'xl/workbook.xml': strToU8(two),
      'xl/worksheets/sheet9.xml': strToU8(empty),
      'xl/_rels/workbook.xml.rels': strToU8(relations.replace('</Relationships>', nine)),
    });
    const { written, listings, findings } = await propose('a.xlsx', workbook);
    assert.deepEqual(
      [written?.text, listings, findings],
      ['sheet: Jobs\n', [{ title: 'Nurse', jobType: 'FULL_TIME' }], []],
    );
    await writeFile(at('a-xlsx/_defaults.yaml'), 'title: Cook\n');
    const { readXlsx } = await import('../../../src/listings/read/table/xlsx.ts');
    for await (const reading of readXlsx(workbook, {}))
      assert.match(String(!reading.ok && reading.fault.hint), /^pass --sheet "Jobs" to read that sheet, or /);
  });
});
