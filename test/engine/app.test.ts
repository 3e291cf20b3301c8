import assert from 'node:assert/strict';
import { ERRORS, errorBody, PartnerError } from '../../src/contract/errors.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { engineFor, engineOn } from './engine-under-test.ts';
import { describeOnEach } from './store/dialects.ts';

const failingWith =
  (error: Error) =>
  (store: Store): Store => ({
    ...store,
    read: { ...store.read, jobs: { ...store.read.jobs, findRow: () => Promise.reject(error) } },
  });

describeOnEach('the application', (kind) => {
  const engine = engineFor('all tests', { kind });

  it('serves the OpenAPI document to everybody, and nothing else without a key', async () => {
    const withoutKey = { authorization: '' };
    const { status, body } = await engine.call('GET', '/openapi.json', undefined, withoutKey);
    assert.equal(status, 200);
    assert.deepEqual(body, JSON.parse(JSON.stringify(openApiDocument())));
    for (const path of ['/openapi.json/', '/openapi', '/jobs'])
      assert.equal((await engine.call('GET', path, undefined, withoutKey)).status, 401);
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
  ] as const)
    it(`answers ${what} with ${ERRORS[code].status}, reports it whole and tells nothing of it`, async () => {
      const broken = await engineOn(engine.database, { around: failingWith(error) });
      const { status, body } = await broken.call('GET', '/jobs/1');
      assert.equal(status, ERRORS[code].status);
      assert.deepEqual(body, errorBody(new PartnerError(code)));
      assert.deepEqual(broken.bugs, [error]);
      await broken.store.close();
    });

  it('refuses a NUL character in a query, for which PostgreSQL cannot search', async () => {
    const { status, body } = await engine.call('GET', '/jobs?opportunityId=a%00b');
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['opportunityId']]);
  });
});

describeOnEach('a page of large jobs', (kind) => {
  const engine = engineFor('all tests', { kind });

  it('ends early, with a cursor, and no job is missed or shown twice', async () => {
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
  });
});
