import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { type DatabaseAddress, sqliteFile } from '../../src/engine/store/address.ts';
import { PDF } from './applications/documents.ts';
import { callOf } from './engine-under-test.ts';
import { COMPLETE } from './listing.ts';
import { newDatabase, POSTGRES_URL, type TestDatabase } from './store/postgres-server.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const PLACES_PATH = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));
const ORIGIN = 'http://engine.test';

for (const dialect of ['sqlite', 'postgres'] as const) {
  describe(`a process that remembers nothing, on ${dialect}, goes on where another one was`, () => {
    const path = temporaryDirectory();
    let server: TestDatabase | undefined;
    let address: DatabaseAddress;
    let first: Engine;
    let fresh: Engine;
    let companyId: string;
    let key: string;
    const opened: Engine[] = [];
    const open = async () => {
      const engine = await openEngine({
        database: address,
        placesPath: PLACES_PATH,
        reportBug: assert.ifError,
      });
      opened.push(engine);
      return engine;
    };

    before(async function () {
      // Two processes need a real server: PARTNER_TEST_POSTGRES_URL names one.
      if (dialect === 'postgres' && POSTGRES_URL === undefined) return this.skip();
      if (dialect === 'postgres') server = await newDatabase();
      address =
        server === undefined ? sqliteFile(path('engine.db')) : { dialect: 'postgres', url: server.url };
      first = await open();
      ({ id: companyId } = await first.operator.companies.create('Acme'));
      ({ key } = await first.operator.keys.create(companyId));
      await first.operator.dashboard.acceptTerms(companyId);
      await first.operator.dashboard.addCard(companyId);
    });
    beforeEach(async () => {
      fresh = await open();
    });
    after(async () => {
      await Promise.all(opened.map((engine) => engine.close()));
      await server?.drop();
    });

    const call = (
      engine: Engine,
      method: string,
      where: string,
      body?: unknown,
      headers?: Record<string, string>,
    ) => callOf(engine.fetch, key, method, where, body, headers);
    const visit = (engine: Engine, where: string, init: RequestInit = {}) =>
      engine.fetch(new Request(`${ORIGIN}${where}`, { redirect: 'manual', ...init }));

    it('with an answer that is stored under an idempotency key', async () => {
      const under = { 'idempotency-key': 'the-same' };
      const created = await call(first, 'POST', '/jobs', COMPLETE, under);
      const again = await call(fresh, 'POST', '/jobs', COMPLETE, under);
      assert.equal(again.headers.get('idempotency-status'), 'replayed');
      assert.deepEqual(again.body, created.body);
      const other = await call(fresh, 'POST', '/jobs', { title: 'Another' }, under);
      assert.equal(other.body.error.code, 'IDEMPOTENCY_CONFLICT');
    });

    it('with a list, by the cursor of its first page', async () => {
      for (const title of ['one', 'two', 'three']) await call(first, 'POST', '/jobs', { title });
      const { nextCursor } = (await call(first, 'GET', '/jobs?limit=1')).body;
      const [here, there] = [first, fresh].map((engine) =>
        call(engine, 'GET', `/jobs?limit=1&cursor=${nextCursor}`),
      );
      assert.deepEqual((await there)?.body, (await here)?.body);
    });

    it('with keys: one that was issued is known, one that was revoked is refused', async () => {
      const { keys } = first.operator;
      const [issued, revoked] = [await keys.create(companyId), await keys.create(companyId)];
      await keys.revoke(revoked.id);
      assert.equal((await callOf(fresh.fetch, issued.key, 'GET', '/jobs')).status, 200);
      assert.equal((await callOf(fresh.fetch, revoked.key, 'GET', '/jobs')).status, 401);
    });

    it('with the clock, and with what has expired by it', async () => {
      const { body: job } = await call(first, 'POST', '/jobs', { ...COMPLETE, publish: true });
      await first.clock.advance(31 * 24 * 60 * 60 * 1_000);
      const late = await open();
      assert.equal(late.clock.state().offsetMs, first.clock.state().offsetMs);
      assert.equal((await call(late, 'GET', `/jobs/${job.id}`)).body.status, 'EXPIRED');
      await first.clock.reset();
    });

    it('with a session of the dashboard, its forms, and a link that was used up', async () => {
      const { path: link } = await first.signInLink(companyId);
      const cookie = (await visit(first, link)).headers.get('set-cookie')?.split(';')[0] ?? '';
      assert.equal((await visit(fresh, link)).status, 403);
      const form = await (await visit(first, '/dashboard/billing', { headers: { cookie } })).text();
      const csrf = /name="csrf" value="([^"]+)"/.exec(form)?.[1] ?? '';
      const signOut = (engine: Engine, token: string) =>
        visit(engine, '/dashboard/sign-out', {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ csrf: token }).toString(),
        });
      assert.equal((await signOut(fresh, 'forged')).status, 403);
      assert.equal((await signOut(fresh, csrf)).status, 200);
      assert.equal((await visit(first, '/dashboard', { headers: { cookie } })).status, 401);
    });

    it('with a file that another one has received, for an application that a third one takes', async () => {
      const { body: job } = await call(first, 'POST', '/jobs', { ...COMPLETE, questions: [], publish: true });
      const sent = { method: 'POST', body: PDF as BodyInit };
      const { fileId } = (await (await visit(first, '/candidate/v1/files?name=cv.pdf', sent)).json()) as {
        fileId: string;
      };
      assert.deepEqual(Buffer.from((await fresh.operator.fileContent(fileId)) ?? []), PDF);
      const { id } = await fresh.operator.applications.apply(job.id, {
        ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+1 512 555 0100' },
        ...{ location: 'Austin, TX', resume: fileId, answers: {}, meets: [] },
      });
      const [file] = (await (await open()).operator.application(companyId, id)).files;
      assert.equal(file?.fileId, fileId);
    });
  });
}
