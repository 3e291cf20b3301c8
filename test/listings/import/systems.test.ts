import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { detectSystem, systemOf } from '../../../src/listings/import/detect.ts';
import { readPostings, type SourceDocument, type System } from '../../../src/listings/import/system.ts';
import { SYSTEMS } from '../../../src/listings/import/systems/index.ts';
import { failureOf } from '../../client/client-under-test.ts';
import { assertTyped } from './feed-documents.ts';

const FIXTURES = [
  ['greenhouse', 'greenhouse'],
  ['greenhouse-questions', 'greenhouse'],
  ['lever', 'lever'],
  ['ashby', 'ashby'],
  ['workable', 'workable'],
  ['recruitee', 'recruitee'],
  ['schema-org', 'schema.org'],
] as const;

const fixtureJson = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/import/${name}.json`, import.meta.url), 'utf8'));

const documentOf = (json: unknown): SourceDocument => ({
  name: 'feed.json',
  text: JSON.stringify(json),
  json,
});

/** Each field as where it is from, its value and whether it is the system's own; long texts by their beginning. */
function readingOf(system: System, json: unknown): unknown {
  const { postings, unlistedCount } = readPostings(system, documentOf(json));
  const shown = postings.map(({ id, fields }) => {
    const named = Object.entries(fields).map(([name, { from, isOwnField, value }]) => [
      name,
      { [isOwnField ? 'own' : 'near']: from, value },
    ]);
    return { id, ...Object.fromEntries(named) };
  });
  const cut = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : value);
  return JSON.parse(JSON.stringify({ unlistedCount, postings: shown }, cut));
}

describe('a system of an import', () => {
  for (const [name, systemName] of FIXTURES) {
    describe(`${systemName}, of ${name}.json`, () => {
      it('reads each listed posting field by field as its readings say', async () => {
        const system = await SYSTEMS[systemName]();
        assert.deepEqual(readingOf(system, fixtureJson(name)), fixtureJson(`readings/${name}`));
      });

      it('is recognised, whole, as a bare list and as one posting, and by no other system', async () => {
        const json = fixtureJson(name);
        const postings = [...(await SYSTEMS[systemName]()).postings(documentOf(json))];
        for (const form of [json, postings, postings[0]]) {
          for (const [other, load] of Object.entries(SYSTEMS)) {
            const system: System = await load();
            assert.equal(system.recognises(documentOf(form)), other === systemName, other);
          }
        }
      });

      it('reads any JSON value in any place of any posting without a throw, each field in its type', async () => {
        const system = await SYSTEMS[systemName]();
        const postings = [...system.postings(documentOf(fixtureJson(name)))];
        const change = fc.record({
          posting: fc.nat(postings.length - 1),
          steps: fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }),
          value: fc.jsonValue({ maxDepth: 4 }),
        });
        fc.assert(
          fc.property(change, ({ posting, steps, value }) => {
            const changed = structuredClone(postings[posting] as object);
            replaceAt(changed, steps, value);
            for (const { fields } of readPostings(system, documentOf([changed])).postings)
              assertTyped(fields);
          }),
          { numRuns: 1000 },
        );
      });
    });
  }

  it('that is one of two by its form is the first in the order of the table', async () => {
    const [lever] = fixtureJson('lever') as [object];
    const [workable] = (fixtureJson('workable') as { jobs: [object] }).jobs;
    const greenhouse = { absolute_url: 'https://x.example/1', content: 'x' };
    const detected = async (json: unknown) => (await detectSystem(documentOf(json)))?.title;
    assert.equal(await detected({ ...workable, ...lever, ...greenhouse }), 'Greenhouse');
    assert.equal(await detected({ ...workable, ...lever }), 'Lever');
    assert.deepEqual(Object.keys(SYSTEMS).slice(0, 4), ['greenhouse', 'lever', 'ashby', 'workable']);
  });

  it('that nobody knows is told, with the systems that are known', async () => {
    for (const json of [{ status: 404, error: 'x' }, [{ name: 'x' }], {}, [1, 2]]) {
      const error = await failureOf(systemOf(documentOf(json), undefined), 'FILE_INVALID');
      assert.equal(error.message, 'feed.json is JSON without a posting of a known system');
      assert.match(error.hint ?? '', /^known are greenhouse, lever, ashby, workable, .*schema\.org/);
    }
  });

  it('that is named is used where the form does not show it, and refused where there is no posting', async () => {
    const bare = documentOf([{ title: 'Welder', id: 7 }]);
    const { postings } = readPostings(await systemOf(bare, 'greenhouse'), bare);
    assert.deepEqual(postings[0]?.id, '7');
    const error = await failureOf(systemOf(documentOf([]), 'greenhouse'), 'FILE_INVALID');
    assert.equal(error.message, 'feed.json holds no posting of Greenhouse');
    await failureOf(systemOf(documentOf(fixtureJson('lever')), 'greenhouse'), 'FILE_INVALID');
  });

  it('gives a posting without an id one that stays the same wherever it stands in the document', async () => {
    const system = await SYSTEMS.greenhouse();
    const welder = { title: 'Welder', location: { name: 'Reno, NV' } };
    const ids = (json: unknown) => readPostings(system, documentOf(json)).postings.map(({ id }) => id);
    assert.deepEqual(ids([welder]), ['Welder, Reno, NV']);
    assert.deepEqual(ids([{ title: 'Nurse' }, welder]), ['Nurse', 'Welder, Reno, NV']);
  });
});

/** Walks into what is there by the steps, and puts the value in the place of what it comes to. */
function replaceAt(target: object, [step = 0, ...rest]: readonly number[], value: unknown): void {
  const keys = Object.keys(target);
  const key = keys[step % keys.length] ?? '';
  const inside: unknown = Reflect.get(target, key);
  const isOpen = typeof inside === 'object' && inside !== null && Object.keys(inside).length > 0;
  if (isOpen && rest.length > 0) replaceAt(inside, rest, value);
  else Reflect.set(target, key, value);
}
