import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import type { SystemName } from '../../src/import/systems/index.ts';
import { times } from '../times.ts';
import { assertTyped, documentOf, postingsOf, textOf } from './feed-documents.ts';

/** XML feeds by system. */
const FEEDS = { personio: 'personio.xml', indeed: 'indeed.xml' } as const;

describe('feeds in XML and pages in HTML', () => {
  it('contain the same postings as a file', async () => {
    const [page, file] = await Promise.all(
      ['schema-org.html', 'schema-org.json'].map(async (file) => {
        const { postings } = await postingsOf('schema.org', await documentOf('jobs', textOf(file)));
        return postings
          .map(({ id, fields: { description, ...others } }) => JSON.stringify([id, others]))
          .sort();
      }),
    );
    deepEqual(page, file);
  });

  it('use the URL of a page for its only posting, and resolve relative URLs with it', async () => {
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

  it('are read with any content of XML elements', async () => {
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
    for (const [system, file] of Object.entries(FEEDS)) {
      const parts = textOf(file).split(/(?<=<(?!workzag|source|position|job>)[\w-]+>)[^<]*(?=<\/)/);
      await fc.assert(
        fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 30 }), async (contents) => {
          const changed = parts
            .map((part, index) => part + (contents[index % contents.length] ?? ''))
            .slice(0, -1);
          const document = await documentOf(file, [...changed, parts.at(-1)].join(''));
          const { postings } = await postingsOf(system as SystemName, document);
          for (const { fields } of postings) assertTyped(fields);
          return postings.length > 9;
        }),
        { numRuns: times(30, 1_000) },
      );
    }
  });
});
