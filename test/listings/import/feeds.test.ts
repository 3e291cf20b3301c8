import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { z } from 'zod';
import type { SourcePosting } from '../../../src/listings/import/source-posting.ts';
import { SYSTEMS } from '../../../src/listings/import/systems/index.ts';
import { documentOf, FEEDS, type Feed, postingsOf, textOf } from './feed-documents.ts';

/** One line a field: file, id, field, `own` or `near`, value as JSON. */
const EXPECTED = readFileSync(new URL('./feeds.expected.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

const text = z
  .string()
  .min(1)
  .regex(/^\S(?:.*\S)?$/su);
const texts = z.array(text).min(1);
const amount = z.number().optional();
const FIELDS = z.strictObject({
  title: text,
  description: z.array(z.strictObject({ heading: text.optional(), text, isHtml: z.boolean() })).min(1),
  workplace: text,
  remoteCountries: texts,
  places: z.array(z.partialRecord(z.enum(['text', 'city', 'region', 'country']), text)).min(1),
  jobType: texts,
  jobLevel: text,
  salaries: z
    .array(z.strictObject({ min: amount, max: amount, ...optional('currency', 'period', 'text', 'label') }))
    .min(1),
  qualifications: texts,
  questions: z
    .array(z.strictObject({ prompt: text, type: text, options: z.array(text), isReserved: z.boolean() }))
    .min(1),
  opportunityId: text,
  atsJobUrl: text,
});

function optional(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, text.optional()]));
}

function linesOf({ file }: Feed, postings: readonly SourcePosting[]): string[] {
  return postings.flatMap(({ id, fields }) =>
    Object.entries(fields).map(([field, { value, isOwnField }]) =>
      [file, id, field, isOwnField ? 'own' : 'near', JSON.stringify(value)].join('\t'),
    ),
  );
}

function hasSoundFields({ fields }: SourcePosting): boolean {
  const values = Object.entries(fields).map(([field, { value }]) => [field, value]);
  return FIELDS.partial().safeParse(Object.fromEntries(values)).success;
}

describe('feeds of Recruitee, Personio, Indeed and schema.org', () => {
  for (const feed of FEEDS) {
    it(`recognises ${feed.file} as one system's, and reads each field of each posting`, async () => {
      const document = await documentOf(feed.name, textOf(feed));
      const systems = await Promise.all(Object.values(SYSTEMS).map((load) => load()));
      const knowing = systems.filter((system) => system.recognises(document));
      deepEqual(knowing, [await SYSTEMS[feed.system]()]);
      const { postings } = await postingsOf(feed.system, document);
      deepEqual(
        postings.filter((posting) => !hasSoundFields(posting)),
        [],
      );
      deepEqual(
        linesOf(feed, postings),
        EXPECTED.filter((line) => line.startsWith(`${feed.file}\t`)),
      );
    });
  }

  it('finds the same postings in a page as in a file', async () => {
    const [page, file] = await Promise.all(
      FEEDS.filter(({ system }) => system === 'schema.org').map(async (feed) => {
        const { postings } = await postingsOf('schema.org', await documentOf('jobs', textOf(feed)));
        return postings
          .map(({ id, fields: { description, ...others } }) => JSON.stringify([id, others]))
          .sort();
      }),
    );
    deepEqual(page, file);
  });

  it('takes the address of a page for its only posting, and reads a posting by it', async () => {
    for (const [url, expected] of [
      ['', 'https://jobs.example.com/open/7'],
      ['"url":"../8",', 'https://jobs.example.com/8'],
    ]) {
      const script = `<script type="application/ld+json">{${url}"@type":"JobPosting"}</script>`;
      const page = await documentOf('https://jobs.example.com/open/7', script);
      const { postings } = await postingsOf('schema.org', page);
      equal(postings[0]?.fields.atsJobUrl?.value, expected);
    }
  });

  it('leaves out the drafts of a board, and tells how many', async () => {
    const [recruitee] = FEEDS;
    const { unlistedCount } = await postingsOf('recruitee', await documentOf('offers', textOf(recruitee)));
    equal(unlistedCount, 1);
  });

  it('reads whatever values the fields of a JSON feed have', async () => {
    for (const feed of FEEDS.filter(({ file }) => file.endsWith('.json'))) {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 40 }), async (changes) => {
          const json: unknown = JSON.parse(textOf(feed));
          for (const [place, value] of changes) replaceOne(json, place, value);
          const { postings } = await postingsOf(feed.system, { name: 'feed', text: '', json });
          return postings.every(hasSoundFields);
        }),
        { numRuns: 150 },
      );
    }
  });

  it('reads whatever the elements of an XML feed hold', async () => {
    const content = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((raw) => raw.replace(/[<&]/g, '&lt;')),
      fc.constantFrom(
        '',
        '<a/>',
        '<city><x>1</x></city>',
        '<!-- c -->',
        '&#0;&bogus;',
        '<__proto__>x</__proto__>',
      ),
    );
    for (const feed of FEEDS.filter(({ file }) => file.endsWith('.xml'))) {
      const parts = textOf(feed).split(/(?<=<(?!workzag|source|position|job>)[\w-]+>)[^<]*(?=<\/)/);
      await fc.assert(
        fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 30 }), async (contents) => {
          const changed = parts
            .map((part, index) => part + (contents[index % contents.length] ?? ''))
            .slice(0, -1);
          const document = await documentOf(feed.name, [...changed, parts.at(-1)].join(''));
          const { postings } = await postingsOf(feed.system, document);
          return postings.length > 9 && postings.every(hasSoundFields);
        }),
        { numRuns: 100 },
      );
    }
  });
});

/** Puts a value in the place of one that is somewhere in the tree. */
function replaceOne(json: unknown, place: number, value: unknown): void {
  const slots: [Record<string, unknown>, string][] = [];
  const visit = (parent: unknown): void => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const [name, child] of Object.entries(parent)) {
      slots.push([parent as Record<string, unknown>, name]);
      visit(child);
    }
  };
  visit(json);
  const [parent, name] = slots[place % slots.length] ?? [];
  if (parent !== undefined && name !== undefined) parent[name] = value;
}
