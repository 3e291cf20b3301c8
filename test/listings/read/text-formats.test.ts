import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { JobInput } from '../../../src/contract/job.ts';
import { type FieldPath, fieldName } from '../../../src/contract/problems.ts';
import { checkListing } from '../../../src/listings/check/findings.ts';
import { writeListing } from '../../../src/listings/write/write.ts';
import { COMPLETE_LISTING } from '../../contract/complete-listing.ts';
import { assertLinear } from '../../cpu.ts';
import { temporaryDirectory } from '../../engine/temporary-directory.ts';
import { itAtLength, times } from '../../times.ts';
import { type FileReading, readListings } from '../listing.ts';
import { fewPlaces } from '../places.ts';
import rows from './text-formats.json' with { type: 'json' };

/** Writes a listing in each format, with the writer of `jobs export` if there is one. */
const WRITTEN: Readonly<Record<string, (listing: JobInput) => Promise<string | Uint8Array>>> = {
  json: async (listing) => JSON.stringify(listing, null, 2),
  jsonc: async (listing) =>
    `// A job\n${JSON.stringify(listing, null, 2).replace(/[}\]]/g, ', /* end */ $&')}`,
  ndjson: async (listing) => `\n${JSON.stringify(listing)}`,
  yaml: (listing) => writeListing(listing, 'yaml'),
  md: (listing) => writeListing(listing, 'md'),
};

const DOCUMENTS = times(4_000, 40_000);
const TEXT = 'zz wrong';
const NUMBER = 7777777.5;

/** Returns each leaf of a listing with a unique value of another type. */
function* wrongValues(value: unknown, path: FieldPath = []): Generator<readonly [FieldPath, unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, typeof value === 'string' ? NUMBER : TEXT];
  else if (Array.isArray(value))
    for (const [at, part] of value.entries()) yield* wrongValues(part, [...path, at]);
  else for (const [name, part] of Object.entries(value)) yield* wrongValues(part, [...path, name]);
}

function withValue(value: unknown, [step, ...rest]: FieldPath, wrong: unknown): unknown {
  if (step === undefined) return wrong;
  if (Array.isArray(value)) return value.with(Number(step), withValue(value[Number(step)], rest, wrong));
  const part = (value as Record<string, unknown>)[step];
  return { ...(value as object), [step]: withValue(part, rest, wrong) };
}

describe('a job file in a text format', () => {
  const path = temporaryDirectory();

  async function read(name: string, content: string | Uint8Array): Promise<FileReading> {
    await writeFile(path(name), content);
    return readListings(path(name), Readable.from([]));
  }

  async function shown(name: string, content: string): Promise<unknown[]> {
    const { listings, findings } = await read(name, content);
    const placed = ({ line, column, message }: { line: number; column: number; message: string }) =>
      `${line}:${column} ${message}`;
    return [
      ...listings.flatMap(({ value, flaws }) => (flaws.length === 0 ? [value] : flaws.map(placed))),
      ...findings.map(placed),
    ];
  }

  async function assertRefused(what: string, text: string | Uint8Array, says: RegExp): Promise<void> {
    const { listings, findings } = await read('hostile.yaml', text);
    const [finding, ...more] = findings;
    assert.deepEqual([listings, more], [[], []], what);
    assert.match(`${finding?.line}:${finding?.column} ${finding?.message}`, says, what);
  }

  for (const [format, write] of Object.entries(WRITTEN))
    it(`has the same content in ${format} as in JSON, and each invalid value is found at its position`, async () => {
      const same = await read(`same.${format}`, await write(COMPLETE_LISTING));
      assert.deepEqual([same.findings, same.listings[0]?.value], [[], COMPLETE_LISTING]);
      const wrong = [...wrongValues(COMPLETE_LISTING)].filter(
        ([[first]]) => format !== 'md' || first !== 'description',
      );
      assert.ok(wrong.length > 30);
      for (const [field, value] of wrong) {
        const text = `${await write(withValue(COMPLETE_LISTING, field, value) as JobInput)}`;
        const at = /"?(?:zz wrong|7777777\.5)/.exec(text)?.index ?? assert.fail(text);
        const lines = text.slice(0, at).split('\n');
        const { listings } = await read(`wrong.${format}`, text);
        const [listing] = listings;
        assert.ok(listing, text);
        const { findings } = checkListing(listing, { draft: true, places: fewPlaces });
        const found = findings.filter(
          ({ line, column }) => line === lines.length && column === (lines.at(-1)?.length ?? 0) + 1,
        );
        assert.ok(
          found.some((finding) => fieldName(field).startsWith(finding.field)),
          `${fieldName(field)}\n${text}`,
        );
      }
    });

  it('in YAML can contain a listing, a list or several documents, and empty documents are skipped', async () => {
    const [A, B] = [{ title: 'A' }, { title: 'B' }];
    for (const [text, values] of [
      ['# A job\ntitle: A # here\n', [A]],
      ['- title: A\n- title: B\n', [A, B]],
      ['---\ntitle: A\n---\n# nothing\n---\n- title: B\n...\n---\n', [A, B]],
      ['{"title": "A",}', [A]],
      ['$schema: x\r\ntitle: A\r\n', [A]],
      ['- &a { title: A }\n- *a\n', [A, A]],
      ['', ['1:1 the file is empty']],
      ['# nothing\n---\n', ['1:1 the file is empty']],
      ['[]', ['1:1 the array contains no listings']],
    ] as const)
      assert.deepEqual(await shown('jobs.yaml', text), values, text);
  });

  it('in YAML is read except for broken documents, which are all reported', async () => {
    const text = 'title: A: b\nx: "a" b\n---\ntitle: B\n---\ntitle: @c\n';
    assert.deepEqual(
      (await shown('broken.yaml', text)).map((entry) =>
        typeof entry === 'string' ? entry.split(' ')[0] : entry,
      ),
      [{ title: 'B' }, '1:8', '6:8'],
    );
  });

  it('in Markdown has front matter, and the description with its line breaks below', async () => {
    for (const { text, entry } of rows.markdown) assert.deepEqual(await shown('job.md', text), [entry], text);
  });

  it('is read as YAML 1.2. Values with another meaning in YAML 1.1 are text, or an error', async () => {
    for (const { written, value } of rows.yaml) {
      const [entry] = await shown('values.yaml', `x: ${written}\n`);
      assert.deepEqual(typeof entry === 'string' ? entry : (entry as { x: unknown }).x, value, written);
    }
    assert.deepEqual(await shown('old.yaml', '%YAML 1.1\n---\nx: NO\n'), [{ x: 'NO' }]);
  });

  itAtLength('in YAML is refused if it needs too much memory or time', async () => {
    const nines = (item: string) => `[${Array(9).fill(item).join(', ')}]`;
    const laughs = Array.from(
      { length: 12 },
      (_, at) => `a${at}: &a${at} ${nines(at === 0 ? 'ha' : `*a${at - 1}`)}\n`,
    );
    for (const [what, text, says] of [
      ['laughs', laughs.join(''), /^\d+:\d+ too many repeated aliases$/],
      [
        'long texts',
        `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(5_000)}]`,
        /^2:\d+ too many repeated aliases$/,
      ],
      ['brackets', '['.repeat(10_000), /^1:\d+ this is nested more than 64 levels deep$/],
      ['dashes', '- '.repeat(10_000), /^1:\d+ this is nested more than 64 levels deep$/],
      [
        'indented',
        Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}a:\n`).join(''),
        /^65:\d+ this is nested/,
      ],
      [
        'values',
        `[${'a,'.repeat(700_000)}]`,
        /^1:\d+ one document has more than 600,000 names, values and symbols$/,
      ],
      ['text', `title: |\n${' a\n'.repeat(400_000)}`, /^2:1 one string has more than 1,048,576 characters$/],
      ['errors', '}'.repeat(times(5_000, 100_000)), /^1:1 unexpected flow-map-end token/],
      ['UTF-16', Buffer.from('\ufefftitle: A', 'utf16le'), /UTF-16 \(little-endian\)/],
      ['binary', Buffer.from([0x74, 0x3a, 0x20, 0, 1, 2]), /byte 4 is NUL/],
    ] as const)
      await assertRefused(what, text, says);
  });

  itAtLength('in YAML is refused if it has too many documents or values', async () => {
    const documents = '---\n'.repeat(50_002);
    await assertRefused('documents', documents, /^\d+:\d+ the file has more than 50,000 documents$/);
    const names = `x: {${Array.from({ length: 100_001 }, (_, at) => `k${at}`).join(',')}}`;
    await assertRefused('names', names, /^1:\d+ the listing has more than 100,000 values$/);
  });

  it(`in YAML can have ${DOCUMENTS} documents, which are read in linear time`, () =>
    assertLinear(DOCUMENTS, async (count) => {
      const { listings } = await read('many.yaml', '---\ntitle: A\n'.repeat(count));
      assert.equal(listings.length, count);
    }));
});
