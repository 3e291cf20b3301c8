import assert from 'node:assert/strict';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { checkJobInput } from '../../../src/contract/check.ts';
import type { JobInput, LocationInput } from '../../../src/contract/job.ts';
import { BUDGET_WINDOWS } from '../../../src/contract/values.ts';
import type { DocumentReading } from '../../../src/listings/read/listing.ts';
import { readCsv } from '../../../src/listings/read/table/csv.ts';
import { readXlsx } from '../../../src/listings/read/table/xlsx.ts';
import { writeCsv } from '../../../src/listings/write/csv.ts';
import { writeXlsx } from '../../../src/listings/write/xlsx.ts';
import { listingArbitrary } from '../listing-arbitrary.ts';
import { PLACES } from '../places.ts';

/** What a table can say of a listing: a place is its text, what is empty is left out, caps have one order. */
function inTable({ locations, budgets, ...input }: JobInput): object {
  const places = locations?.map((place: LocationInput | string) => {
    if (typeof place === 'string') return place;
    const { locationId, city, stateProvince, country } = place;
    const names = [city, stateProvince, country].filter((name) => name !== '');
    return `${locationId}: ${names.join(', ')}`;
  });
  const caps = budgets
    ?.map(({ notes, ...cap }) => (notes ? { ...cap, notes } : cap))
    .sort((a, b) => BUDGET_WINDOWS.indexOf(a.window) - BUDGET_WINDOWS.indexOf(b.window));
  const all = Object.entries({ ...input, locations: places, budgets: caps });
  return Object.fromEntries(all.filter(([, value]) => value != null && String(value).trim() !== ''));
}

async function valuesIn(readings: AsyncIterable<DocumentReading>): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const reading of readings) {
    assert.ok(reading.ok, reading.ok ? '' : reading.fault.message);
    assert.deepEqual(reading.document.flaws, []);
    values.push(inTable(reading.document.value as JobInput));
  }
  return values;
}

const listings = fc.array(
  listingArbitrary(PLACES)
    .filter((listing) => checkJobInput(listing).ok)
    .map((listing): JobInput => JSON.parse(JSON.stringify(listing)))
    .filter((input) => Object.keys(inTable(input)).length > 0),
  { minLength: 1, maxLength: 4 },
);

describe('a listing that is written as a table', () => {
  it('reads back to the same from CSV and from a workbook, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(listings, async (inputs) => {
        const expected = inputs.map(inTable);
        assert.deepEqual(await valuesIn(readCsv(Buffer.from(writeCsv(inputs)))), expected);
        assert.deepEqual(await valuesIn(readXlsx(await writeXlsx(inputs), {})), expected);
      }),
      { numRuns: 150, seed: 14 },
    );
  });

  it('keeps a question that looks like JSON, and one that looks like its own format', async () => {
    const prompts = ['["a"]', '[{"prompt":"b"}]', 'When? (date)', '- One', 'A | B (or)'];
    const questions = prompts.map((prompt, at) => ({ prompt, answerFormat: 'TEXT' as const, order: at + 1 }));
    const inputs = questions.map((question) => ({ title: 'A', questions: [{ ...question, order: 1 }] }));
    assert.deepEqual(await valuesIn(readCsv(Buffer.from(writeCsv(inputs)))), inputs);
  });

  it('has no cell that a spreadsheet runs as a formula', async () => {
    const texts = ['=HYPERLINK("x")', '+1', '-1+1', '@SUM(A1)', "'=1", '\t=1', ';=1', '＝1', ' =1'];
    const inputs = texts.map((title) => ({ title, opportunityId: 'x' }));
    const cells = writeCsv(inputs).split(/x,|\r\n/);
    assert.deepEqual(
      cells.filter((cell) => /^["\s;]*[=+\-@＝]/.test(cell) && !/^\+1$/.test(cell)),
      [],
    );
    const sheet = unzipSync(await writeXlsx(inputs))['xl/worksheets/sheet1.xml'];
    assert.doesNotMatch(strFromU8(sheet ?? new Uint8Array()), /<f[ >]/);
  });
});
