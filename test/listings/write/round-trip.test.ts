import assert from 'node:assert/strict';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { cleanBlock } from '../../../src/cli/terminal/view.ts';
import { checkJobInput } from '../../../src/contract/check.ts';
import type { JobInput, LocationInput } from '../../../src/contract/job.ts';
import {
  ANSWER_FORMATS,
  BUDGET_WINDOWS,
  JOB_LEVELS,
  QUALIFICATION_KINDS,
  REMOTE_OPTIONS,
} from '../../../src/contract/values.ts';
import type { DocumentReading } from '../../../src/listings/read/listing.ts';
import { readCsv } from '../../../src/listings/read/table/csv.ts';
import { readXlsx } from '../../../src/listings/read/table/xlsx.ts';
import { readMarkdown, readYaml } from '../../../src/listings/read/yaml.ts';
import { writeCsv, writeXlsx } from '../../../src/listings/write/sheet.ts';
import { writeListing } from '../../../src/listings/write/write.ts';
import { inContractOrder } from '../../../src/listings/write/yaml.ts';
import { withoutRunnerCommands } from '../../../src/text/outside-text.ts';
import { anyText } from '../../any-text.ts';
import { times } from '../../times.ts';
import { listingArbitrary } from '../listing-arbitrary.ts';
import { PLACES } from '../places.ts';
import pieces from './pieces.json' with { type: 'json' };

const text = fc.oneof(
  // Text that a writer or reader may mistake for syntax, whitespace, a number or the end.
  fc.array(fc.constantFrom(...pieces, 'word '.repeat(30)), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }),
  // Listings can't contain NUL or unpaired surrogates.
  anyText().map((given) => given.replaceAll(/[\0\ud800-\udfff]/gu, '')),
);
const amount = fc.option(fc.nat(Number.MAX_SAFE_INTEGER));
const order = fc.integer();

const jobInput = fc.record(
  {
    title: text,
    description: text,
    remoteOption: fc.option(fc.constantFrom(...REMOTE_OPTIONS)),
    remoteCountry: fc.option(text),
    jobLevel: fc.option(fc.constantFrom(...JOB_LEVELS)),
    locations: fc.array(fc.record({ locationId: fc.nat(), city: text, stateProvince: text, country: text })),
    salaryMin: amount,
    bidPerQualifiedApplicantCents: amount,
    opportunityId: fc.option(text),
    qualifications: fc.array(fc.record({ text, kind: fc.constantFrom(...QUALIFICATION_KINDS), order })),
    questions: fc.array(
      fc.record(
        { prompt: text, answerFormat: fc.constantFrom(...ANSWER_FORMATS), options: fc.array(text), order },
        { requiredKeys: ['prompt', 'answerFormat', 'order'] },
      ),
    ),
    budgets: fc.array(
      fc.record({
        window: fc.constantFrom(...BUDGET_WINDOWS),
        budgetCents: fc.nat(),
        notes: fc.option(text),
      }),
    ),
    publish: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JobInput>;

type Read = (bytes: Uint8Array) => Iterable<DocumentReading>;

describe('an exported job', () => {
  for (const [format, read] of [
    ['yaml', readYaml],
    ['md', readMarkdown],
  ] as readonly (readonly ['yaml' | 'md', Read])[])
    it(`as ${format} reads back identically, and can't control a terminal or CI runner`, async () =>
      await fc.assert(
        fc.asyncProperty(jobInput, async (input) => {
          const written = String(await writeListing(input, format));
          assert.equal(withoutRunnerCommands(cleanBlock(written)), written);
          const [reading, ...others] = [...read(Buffer.from(written))];
          assert.ok(reading?.ok && others.length === 0, written);
          const { value, flaws } = reading.document;
          const actual = [JSON.stringify(inContractOrder(value as JobInput)), flaws];
          assert.deepEqual(actual, [JSON.stringify(input), []], String(written));
        }),
        { numRuns: times(25, 1_000) },
      ));

  it('has long texts in blocks, fields in the order of the contract, and no escape codes', async () => {
    const input: JobInput = {
      publish: true,
      description: 'One line.\n\n- a list\n- of two\n',
      title: 'NO: 24/7',
      qualifications: [{ text: 'word '.repeat(30).trim(), kind: 'REQUIRED', order: 1 }],
    };
    assert.equal(
      await writeListing(input, 'yaml'),
      `title: "NO: 24/7"
description: |
  One line.

  - a list
  - of two
qualifications:
  - text: |-
      ${'word '.repeat(30).trim()}
    kind: REQUIRED
    order: 1
publish: true
`,
    );
  });

  it('as Markdown has its description as the body, unless the body would change it', async () => {
    const body = await writeListing({ title: 'Nurse', description: 'One.\n\n---\n\nTwo.' }, 'md');
    assert.equal(body, '---\ntitle: Nurse\n---\n\nOne.\n\n---\n\nTwo.\n');
    for (const description of [' One.', 'One.\n', 'One.\r\nTwo.', 'One\u202e', '::error::One', ''])
      assert.match(String(await writeListing({ description }, 'md')), /^---\ndescription: .*---\n$/s);
  });
});

/** Returns the listing as a table can express it: places as text, no empty fields, sorted caps. */
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

const listings = fc.uniqueArray(
  listingArbitrary(PLACES)
    .filter((listing) => checkJobInput(listing).ok)
    .map((listing): JobInput => JSON.parse(JSON.stringify(listing)))
    .filter((input) => Object.keys(inTable(input)).length > 0),
  { minLength: 1, maxLength: 4, selector: (input) => JSON.stringify(inTable(input)) },
);

describe('a listing in a table', () => {
  it('reads back identically from CSV and from a workbook', async () =>
    await fc.assert(
      fc.asyncProperty(listings, async (inputs) => {
        const expected = inputs.map(inTable);
        assert.deepEqual(await valuesIn(readCsv(Buffer.from(writeCsv(inputs)))), expected);
        assert.deepEqual(await valuesIn(readXlsx(await writeXlsx(inputs), {})), expected);
      }),
      { numRuns: times(20, 750), seed: 14 },
    ));

  it('preserves questions that look like JSON or like a question cell', async () => {
    const prompts = ['["a"]', '[{"prompt":"b"}]', 'When? (date)', '- One', 'A | B (or)'];
    const questions = prompts.map((prompt, at) => ({ prompt, answerFormat: 'TEXT' as const, order: at + 1 }));
    const inputs = questions.map((question) => ({ title: 'A', questions: [{ ...question, order: 1 }] }));
    assert.deepEqual(await valuesIn(readCsv(Buffer.from(writeCsv(inputs)))), inputs);
  });

  it('has no cell that a spreadsheet would run as a formula', async () => {
    const texts = ['=HYPERLINK("x")', '+1', '-1+1', '@SUM(A1)', "'=1", '\t=1', ';=1', '＝1', ' =1'];
    const inputs = texts.map((title) => ({ title, opportunityId: 'x' }));
    const cells = writeCsv(inputs).split(/x,|\r\n/);
    const formulas = cells.filter((cell) => /^["\s;]*[=+\-@＝]/.test(cell) && !/^\+1$/.test(cell));
    assert.deepEqual(formulas, []);
    const sheet = unzipSync(await writeXlsx(inputs))['xl/worksheets/sheet1.xml'];
    assert.doesNotMatch(strFromU8(sheet ?? new Uint8Array()), /<f[ >]/);
  });
});
