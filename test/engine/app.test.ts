import assert from 'node:assert/strict';
import { ERRORS, errorBody, PartnerError } from '../../src/contract/errors.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { BASE_URL, type EngineUnderTest, engineOn } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A store whose reads of jobs fail as no query should. */
const failingWith =
  (error: Error) =>
  (store: Store): Store => ({
    ...store,
    read: { ...store.read, jobs: { ...store.read.jobs, find: () => Promise.reject(error) } },
  });

describe('the application', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  before(async () => {
    engine = await engineOn(path('app.db'));
  });
  after(() => engine.store.close());
  afterEach(() => assert.deepEqual(engine.bugs, []));

  for (const [name, operation] of Object.entries<Operation>(OPERATIONS)) {
    it(`reaches ${name} where the table of operations says`, async () => {
      const { body: job } = await engine.call('POST', '/jobs', {
        ...COMPLETE,
        publish: name !== 'publishJob',
      });
      if (name === 'resumeJob') await engine.call('POST', `/jobs/${job.id}/pause`);
      const address = operation.path.replace('{id}', job.id) + (name === 'searchLocations' ? '?q=aus' : '');
      const answer = await engine.call(operation.method, address, operation.body === null ? undefined : {});
      assert.equal(answer.status, operation.status);
      assert.ok(operation.answer.safeParse(answer.body).success);
    });
  }

  it('answers a wrong method with 405 and the methods there are', async () => {
    const { status, headers } = await engine.call('DELETE', '/jobs/1');
    assert.deepEqual([status, headers.get('allow')], [405, 'PATCH, GET']);
  });

  it('asks for the key before anything else, be the address known or not', async () => {
    for (const address of ['/nope', '/jobs', '/jobs/x']) {
      const response = await engine.fetch(new Request(BASE_URL + address));
      assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, 'Bearer'], address);
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    const { status, body } = await engine.call('HEAD', '/jobs');
    assert.deepEqual([status, body], [200, undefined]);
  });

  for (const [what, error, code] of [
    ['an error that nobody foresaw', new Error('secret detail'), 'INTERNAL'],
    [
      'a database that broke meanwhile',
      new PartnerError('DATABASE_UNUSABLE', { message: 'secret detail' }),
      'UNAVAILABLE',
    ],
    [
      'a link in the place of a file',
      new PartnerError('LINK_REFUSED', { message: 'secret detail' }),
      'UNAVAILABLE',
    ],
  ] as const) {
    it(`answers ${what} with ${ERRORS[code].status}, reports it whole and tells nothing of it`, async () => {
      const broken = await engineOn(path(`${what}.db`), { around: failingWith(error) });
      const { status, body } = await broken.call('GET', '/jobs/1');
      assert.equal(status, ERRORS[code].status);
      assert.deepEqual(body, errorBody(new PartnerError(code)));
      assert.deepEqual(broken.bugs, [error]);
      await broken.store.close();
    });
  }

  it('refuses a NUL character in a query, for which PostgreSQL cannot search', async () => {
    const { status, body } = await engine.call('GET', '/jobs?opportunityId=a%00b');
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['opportunityId']]);
  });
});

describe('places in a body (decision 12)', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  before(async () => {
    engine = await engineOn(path('places.db'));
  });
  after(() => engine.store.close());

  const fieldsFor = async (...locations: unknown[]) =>
    (await engine.call('POST', '/jobs', { locations })).body.error?.fields ?? {};

  it('are stored as the canonical ones, whatever case and diacritics they were sent in', async () => {
    const sent = { locationId: 2867714, city: 'MUNCHEN', stateProvince: 'bavaria', country: 'germany' };
    const { body } = await engine.call('POST', '/jobs', { locations: [sent] });
    assert.deepEqual(body.locations, [
      {
        locationId: 2867714,
        displayName: 'München, Bavaria, Germany',
        city: 'München',
        stateProvince: 'Bavaria',
        country: 'Germany',
      },
    ]);
  });

  it('name the nearest ones where one was typed freely, as a text or without an id', async () => {
    const fields = await fieldsFor('Austin, TX', {
      city: 'Austin',
      stateProvince: 'Texas',
      country: 'United States',
    });
    assert.deepEqual(Object.keys(fields), ['locations[0].locationId', 'locations[1].locationId']);
    for (const message of Object.values<string>(fields)) {
      assert.match(message, /typed freely; did you mean 4671654 \(Austin, Texas, United States\) or 4505542/);
    }
  });

  it('keep the other problems of an entry and of the body', async () => {
    const fields = await fieldsFor({ city: 'Nowhere' }, { locationId: 'x', city: 'Austin' }, 7);
    assert.deepEqual(Object.keys(fields).toSorted(), [
      'locations[0].country',
      'locations[0].locationId',
      'locations[0].stateProvince',
      'locations[1].country',
      'locations[1].locationId',
      'locations[1].stateProvince',
      'locations[2]',
    ]);
    assert.match(fields['locations[0].locationId'], /search for it with `partner locations search`/);
  });
});

describe('a page of large jobs', () => {
  const path = temporaryDirectory();

  it('ends early, with a cursor, and no job is missed or shown twice', async () => {
    const engine = await engineOn(path('pages.db'));
    const description = 'x'.repeat(90_000);
    const made: number[] = [];
    for (let at = 0; at < 30; at++)
      made.unshift((await engine.call('POST', '/jobs', { title: `${at}`, description })).body.id);
    const listed: number[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await engine.call('GET', `/jobs?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      listed.push(...body.items.map(({ id }: { id: number }) => id));
      sizes.push(JSON.stringify(body).length);
      cursor = body.nextCursor;
    }
    assert.deepEqual(listed, made);
    assert.ok(Math.max(...sizes) < 2_000_000, `pages of ${sizes} characters`);
    await engine.store.close();
  });
});
