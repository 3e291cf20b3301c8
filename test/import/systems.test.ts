import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { SourcePosting } from '../../src/import/source-posting.ts';
import { chooseSystem, detectSystem } from '../../src/import/sources.ts';
import { readPostings, type SourceDocument, type System } from '../../src/import/system.ts';
import { SYSTEMS } from '../../src/import/systems/index.ts';
import { failureOf } from '../client/client-under-test.ts';
import { times } from '../times.ts';
import { assertTyped, documentOf, postingsOf, textOf } from './feed-documents.ts';
import systems from './systems.json' with { type: 'json' };

/** Feeds with their system and the number of unlisted postings. */
const FIXTURES = systems as [string, keyof typeof SYSTEMS, number][];

const ADDRESSES: Readonly<Record<string, string>> = {
  'personio.xml': 'https://werft.jobs.personio.de/xml?language=en',
};

/** One line per field: file, ID, field, `own` or `near`, source field, and the shortened JSON value. */
const EXPECTED = readFileSync(new URL('./feeds.expected.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

function linesOf(file: string, postings: readonly SourcePosting[]): string[] {
  const cut = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : value);
  return postings.flatMap(({ id, fields }) =>
    Object.entries(fields).map(([field, { from, value, isOwnField }]) =>
      [file, id, field, isOwnField ? 'own' : 'near', from, JSON.stringify(value, cut)].join('\t'),
    ),
  );
}

const jsonOf = (file: string): unknown => JSON.parse(textOf(file));

const documentIn = (json: unknown): SourceDocument => ({
  name: 'feed.json',
  text: JSON.stringify(json),
  json,
});

describe('a system of an import', () => {
  for (const [file, systemName, unlisted] of FIXTURES)
    describe(`${systemName}, of ${file}`, () => {
      it('reads each field of listed postings, and is the only system that recognizes them', async () => {
        const document = await documentOf(ADDRESSES[file] ?? file, textOf(file));
        const { postings, unlistedCount } = await postingsOf(systemName, document);
        const expected = EXPECTED.filter((line) => line.startsWith(`${file}\t`));
        assert.deepEqual(linesOf(file, postings), expected);
        assert.equal(unlistedCount, unlisted);
        for (const [other, load] of Object.entries(SYSTEMS)) {
          const system: System = await load();
          assert.equal(system.recognises(document), other === systemName, other);
        }
      });

      if (file.endsWith('.xml')) return;

      it('recognizes a list and a single posting, and no other system does', async () => {
        const postings = [...(await SYSTEMS[systemName]()).postings(documentIn(jsonOf(file)))];
        for (const form of [postings, postings[0]]) {
          for (const [other, load] of Object.entries(SYSTEMS)) {
            const system: System = await load();
            assert.equal(system.recognises(documentIn(form)), other === systemName, other);
          }
        }
      });

      it('never throws for any JSON value in a posting, and returns the right types', async () => {
        const system = await SYSTEMS[systemName]();
        const postings = [...system.postings(documentIn(jsonOf(file)))];
        const change = fc.record({
          posting: fc.nat(postings.length - 1),
          steps: fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }),
          value: fc.jsonValue({ maxDepth: 4 }),
        });
        fc.assert(
          fc.property(change, ({ posting, steps, value }) => {
            const changed = structuredClone(postings[posting] as object);
            replaceAt(changed, steps, value);
            for (const { fields } of readPostings(system, documentIn([changed])).postings)
              assertTyped(fields);
          }),
          { numRuns: times(200, 1_000) },
        );
      });
    });

  it('is the first in the table if two match', async () => {
    const [lever] = jsonOf('lever.json') as [object];
    const [workable] = (jsonOf('workable.json') as { jobs: [object] }).jobs;
    const greenhouse = { absolute_url: 'https://x.example/1', content: 'x' };
    const detected = async (json: unknown) => (await detectSystem(documentIn(json)))?.title;
    assert.equal(await detected({ ...workable, ...lever, ...greenhouse }), 'Greenhouse');
    assert.equal(await detected({ ...workable, ...lever }), 'Lever');
    assert.deepEqual(Object.keys(SYSTEMS).slice(0, 4), ['greenhouse', 'lever', 'ashby', 'workable']);
  });

  it('that is unknown is reported with the known systems', async () => {
    for (const json of [{ status: 404, error: 'x' }, [{ name: 'x' }], {}, [1, 2]]) {
      const error = await failureOf(chooseSystem(documentIn(json), undefined), 'FILE_INVALID');
      assert.equal(error.message, 'feed.json is JSON, but contains no posting of a known system');
      assert.match(
        error.hint ?? '',
        /^the known systems are greenhouse, lever, ashby, workable, .*schema\.org/,
      );
    }
  });

  it('that the user specified is used, but refused without postings', async () => {
    const bare = documentIn([{ title: 'Welder', id: 7 }]);
    const { postings } = readPostings(await chooseSystem(bare, 'greenhouse'), bare);
    assert.deepEqual(postings[0]?.id, '7');
    const error = await failureOf(chooseSystem(documentIn([]), 'greenhouse'), 'FILE_INVALID');
    assert.equal(error.message, 'feed.json contains no Greenhouse postings');
    await failureOf(chooseSystem(documentIn(jsonOf('lever.json')), 'greenhouse'), 'FILE_INVALID');
  });

  it("creates an ID that doesn't depend on the posting's position", async () => {
    const system = await SYSTEMS.greenhouse();
    const welder = { title: 'Welder', location: { name: 'Reno, NV' } };
    const ids = (json: unknown) => readPostings(system, documentIn(json)).postings.map(({ id }) => id);
    assert.deepEqual(ids([welder]), ['Welder, Reno, NV']);
    assert.deepEqual(ids([{ title: 'Nurse' }, welder]), ['Nurse', 'Welder, Reno, NV']);
  });
});

function replaceAt(target: object, [step = 0, ...rest]: readonly number[], value: unknown): void {
  const keys = Object.keys(target);
  const key = keys[step % keys.length] ?? '';
  const inside: unknown = Reflect.get(target, key);
  const isOpen = typeof inside === 'object' && inside !== null && Object.keys(inside).length > 0;
  if (isOpen && rest.length > 0) replaceAt(inside, rest, value);
  else Reflect.set(target, key, value);
}
