import assert from 'node:assert/strict';
import { SUGGESTION_NAMES_MAX, withPlaceProblems } from '../../src/engine/routes/locations.ts';
import { openPlaces } from '../../src/places/index/open.ts';
import type { NameBudget, Places } from '../../src/places/place-names.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import { placesIndex } from '../places/index/places-index.ts';
import { type Answer, engineFor } from './engine-under-test.ts';

const BODY_BYTES = 1024 * 1024 - 1000;

/** Repeats the entry until the body is full. */
function filling(entry: string | ((index: number) => string)): string {
  const entries: string[] = [];
  for (let bytes = 0; bytes < BODY_BYTES; bytes += 1 + (entries.at(-1)?.length ?? 0))
    entries.push(typeof entry === 'string' ? entry : entry(entries.length));
  return entries.slice(0, -1).join();
}

const select = (options: string) =>
  `{"questions":[{"prompt":"Which?","answerFormat":"SINGLE_SELECT","order":1,"options":[${options}]}]}`;

/** Bodies of 1 MiB that once took seconds or got a response as large. */
const LARGE: Readonly<Record<string, string>> = {
  'the same option': select(filling('"a"')),
  'other options each': select(filling((index) => `"${index}"`)),
  'the same window': `{"budgets":[${filling('{"window":"DAILY","budgetCents":1}')}]}`,
  'places that are none': `{"locations":[${filling('"Bostnn"')}]}`,
  'unknown fields': `{${filling((index) => `"salaryMi${index}":0`)}}`,
  'unknown fields of entries': `{"questions":[${Array(50)
    .fill(`{${Array.from({ length: 190 }, (_, index) => `"field${index}":"x"`)}}`)
    .join()}]}`,
  'a name as long as the body': `{"${'salaryMin'.padEnd(BODY_BYTES, 'x')}":0}`,
  'an address with an escape each': `{"atsJobUrl":"a:${'%'.repeat(BODY_BYTES)}"}`,
  'a value with all there is to say': `{"budgets":{${filling((index) => `"daily${index}":1`)}}}`,
  'wrong options': `{"questions":[${Array(50).fill(`{"prompt":"a","answerFormat":"SINGLE_SELECT","order":1,"options":[${Array(200).fill('""').join()}]}`)}]}`,
  'fields given twice': `{${filling('"a":1')}}`,
  'digits that are lost': `{"a":[${filling('12345678901234567890')}]}`,
  'numbers that are lost': `{"a":[${filling('1.1e308')}]}`,
  'NUL characters': `{"title":[${filling('"\\u0000"')}]}`,
};

describe('one request, however large its body is', () => {
  const engine = engineFor('all tests');

  function assertBounded({ status, body }: Answer): void {
    assert.equal(status, 422);
    const fields = Object.keys(body.error.fields);
    assert.ok(fields.length <= 100, `${fields.length} fields`);
    assert.ok(JSON.stringify(body).length < 64 * 1024, `${JSON.stringify(body).length} bytes`);
  }

  for (const [name, body] of Object.entries(LARGE))
    it(`is answered in 64 KiB and 100 fields at most: ${name}`, async () =>
      assertBounded(await engine.call('POST', '/jobs', body)));

  it('names a hundred problems and counts the others', async () => {
    const fields = Array.from({ length: 350 }, (_, index) => [`field${index}`, 1]);
    const { body } = await engine.call('POST', '/jobs', Object.fromEntries(fields));
    assert.equal(Object.keys(body.error.fields).length, 100);
    assert.match(body.error.message, /^invalid input: field0, .*field99 and 250 more problems$/);
  });

  it('that is an application is bounded as well, also by what the job asks', async () => {
    const options = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(2000, 'x'));
    const question = { prompt: 'Which?', answerFormat: 'SINGLE_SELECT', options, order: 1 };
    const job = await engine.call('POST', '/jobs', {
      ...COMPLETE_LISTING,
      questions: [question, { ...question, order: 2 }],
      publish: true,
    });
    assert.equal(job.status, 201, JSON.stringify(job.body));
    const [first, second] = job.body.questions;
    const basics = {
      firstName: 'A',
      lastName: 'B',
      email: 'a@b.co',
      phone: '1234567',
      location: 'x',
      resume: 'y',
    };
    const path = `/../candidate/v1/jobs/${job.body.id}/applications`;
    const others = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`q${index}`, 1]));
    for (const answers of [others, { [first.id]: 1, [second.id]: [] }])
      assertBounded(await engine.call('POST', path, { ...basics, answers }));
    assertBounded(await engine.call('POST', path, { ...basics, meets: Array(100_000).fill('x') }));
    assertBounded(await engine.call('POST', path, { ...basics, email: `a@${'b.'.repeat(400_000)}` }));
  });

  it('is refused by a value that is no text in a word’s place, and no fault of the engine', async () => {
    const odd = { toString: 1, valueOf: 1 };
    for (const field of ['jobType', 'publish', 'salaryMin', 'atsJobUrl', 'locations', 'pay', 'remote'])
      assertBounded(await engine.call('POST', '/jobs', { [field]: odd }));
    assertBounded(await engine.call('POST', '/jobs', { locations: [{ locationId: odd, city: odd }] }));
  });
});

describe('the suggestions for misspelt places of one request', () => {
  let compared = 0;
  let places: Places;
  const all = fixture('all tests', async () => openPlaces(await placesIndex()));
  before(async () => {
    places = {
      ...all,
      nearest(text, limit, budget) {
        const names = budget ?? { namesLeft: Number.POSITIVE_INFINITY };
        const before = names.namesLeft;
        const found = all.nearest(text, limit, names);
        compared += before - names.namesLeft;
        return found;
      },
    };
  });

  const hints = (locations: unknown[]) =>
    withPlaceProblems({ locations }, [], places).map(({ hint = '' }) => hint);

  it('compare a bounded number of names, after which places are refused without a suggestion', () => {
    const hopeless = (index: number) => `Xzqvw${index} Kjhgf Qwrtp`;
    const given = hints(Array.from({ length: 50 }, (_, index) => hopeless(index)));
    // The last search may exceed the budget by one pass through all names.
    assert.ok(compared >= SUGGESTION_NAMES_MAX && compared < SUGGESTION_NAMES_MAX + 700_000, `${compared}`);
    assert.equal(given.length, 50);
    assert.equal(given.at(-1), 'search for it with `partner locations search`');
  });

  it('are there for fifty slips of the kind that people make', () => {
    const cities = ['Bostn', 'Chigaco', 'Sprngfield', 'Minneapols', 'Cincinatti'];
    const slips = Array.from({ length: 50 }, (_, index) => `${cities[index % 5]}, Untied States`);
    for (const hint of hints(slips)) assert.match(hint, /^did you mean \d+/);
  });

  it('compare no name twice for one place, and none without a budget', () => {
    const budget: NameBudget = { namesLeft: 10_000_000 };
    all.nearest('Zzzzzzzzzzzzzzz, Texas', 3, budget);
    assert.ok(10_000_000 - budget.namesLeft < 700_000, `${10_000_000 - budget.namesLeft}`);
    const spent: NameBudget = { namesLeft: 0 };
    assert.deepEqual(all.nearest('Bostn', 3, spent), []);
    assert.equal(spent.namesLeft, 0);
  });
});
