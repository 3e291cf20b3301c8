import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openPlaces } from '../../src/places/index/open.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { engineFor } from '../engine/engine-under-test.ts';
import { describeOnEach } from '../engine/store/dialects.ts';
import { placesIndex } from '../places/index/places-index.ts';

const REQUESTS = 1600;
const REFUSAL_CHARACTERS = 64 * 1024;

const piece = fc.constantFrom(
  ...[...'a1 .,é中%/@', '\u0301', '👍🏽', '\ud800', '\0', '<p ', '**', 'St. '],
  ...['de la ', '$1,000 ', '1k-', 'name and ', 'email (', '1e308', '\u202e'],
);
const textOf = (...times: number[]) =>
  fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.constantFrom(...times))
    .map(([pieces, count]) => pieces.join('').repeat(count));
const short = textOf(0, 1, 3, 40);
const text = textOf(0, 1, 40, 400, 30_000);
const scalar = fc.oneof(
  short,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, 'REMOTE', 'SINGLE_SELECT', 'DAILY'),
);
const name = fc.oneof(
  fc.constantFrom(...Object.keys(COMPLETE_LISTING), 'pay', 'remote', 'city', 'text', 'kind', 'prompt'),
  fc.constantFrom('answerFormat', 'options', 'window', 'budgetCents', 'order', 'label'),
  fc.constantFrom('toString', '__proto__', 'constructor'),
  short,
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.tuple(scalar, fc.constantFrom(51, 201, 2000)).map(([one, times]) => Array(times).fill(one)),
    fc.dictionary(name, tie('value'), { maxKeys: 6 }),
  ),
}));
const place = fc.oneof(
  short.map((misspelt) => `Xlbuq${misspelt}`),
  fc.record({ locationId: fc.constantFrom(1, 4671654), city: short, stateProvince: short, country: text }),
);
const listing = fc
  .tuple(
    fc.dictionary(name, fc.oneof(text, value), { maxKeys: 6 }),
    fc.array(place, { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([fields, locations, isWhole]) => ({ ...(isWhole && COMPLETE_LISTING), locations, ...fields }));
/** Mostly valid JSON, with one insertion or truncation. */
const body = fc
  .tuple(
    listing,
    fc.option(fc.tuple(fc.nat(), fc.constantFrom('', '{', '"', ',', '\\u', '1e', '//', '\u0001'))),
  )
  .map(([value, change]) => {
    const json = JSON.stringify(value).slice(0, 1024 * 1024);
    if (change === null) return json;
    const at = change[0] % (json.length + 1);
    return change[1] === '' ? json.slice(0, at) : json.slice(0, at) + change[1] + json.slice(at);
  });

describeOnEach('fuzzed requests', (kind) => {
  const engine = engineFor('all tests', { kind, places: async () => openPlaces(await placesIndex()) });
  let jobId: number;
  before(async () => {
    const { body } = await engine.call('POST', '/jobs', { ...COMPLETE_LISTING, publish: true });
    jobId = body.id;
  });

  async function assertTaken(method: string, path: string, json?: string): Promise<void> {
    const { status, body } = await engine.call(method, path, json);
    const answer = JSON.stringify(body);
    assert.ok(status < 500, `${status}: ${answer}`);
    assert.ok(status < 400 || answer.length <= REFUSAL_CHARACTERS, `${answer.length} characters`);
    assert.deepEqual(engine.bugs, []);
  }

  const runs = { numRuns: REQUESTS / 4, seed: 12 };
  const answers = 'are answered without a fault of the engine, a refusal in 64 KiB:';

  for (const [what, method, path] of [
    ['creates', 'POST', () => '/jobs'],
    ['updates', 'PATCH', () => `/jobs/${jobId}`],
    ['applications', 'POST', () => `/../candidate/v1/jobs/${jobId}/applications`],
  ] as const)
    it(`${answers} ${what}`, () =>
      fc.assert(
        fc.asyncProperty(body, (json) => assertTaken(method, path(), json)),
        runs,
      ));

  it(`${answers} searches`, () =>
    fc.assert(
      fc.asyncProperty(text, text, (q, country) => {
        const query = new URLSearchParams({ q: q.slice(0, 4000), country: country.slice(0, 4000) });
        return assertTaken('GET', `/locations/search?${query}`);
      }),
      runs,
    ));
});
