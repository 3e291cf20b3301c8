import assert from 'node:assert/strict';
import { html } from 'hono/html';
import { get } from '../../../src/engine/dashboard/page.ts';
import { dashboardFor } from './dashboard-under-test.ts';
import prefetches from './prefetches.json' with { type: 'json' };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const HOME = get('/', async ({ company, now }) => ({
  page: { title: 'Home', body: html`<h1>${company.name}</h1><p>${new Date(now).toISOString()}</p>` },
}));

describe('signing in to the dashboard', () => {
  const dashboard = dashboardFor('each test', { routes: [HOME] });

  it('a link lets somebody into the dashboard of its company, by a cookie that no script and no other site can use', async () => {
    const browser = dashboard.browser();
    const answer = await browser.get(await dashboard.link());
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), '/dashboard');
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^partner_session_4650=[0-9A-Za-z]{43}; Path=\/dashboard; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    );
    const home = await browser.get('/dashboard');
    assert.equal(home.status, 200);
    assert.match(home.text, /<h1>Acme<\/h1>/);
  });

  it('neither the link nor the session stands in the database', async () => {
    const link = await dashboard.link();
    const browser = dashboard.browser();
    await browser.get(link);
    const tokens = [link.split('=')[1] ?? '', browser.cookie.split('=')[1] ?? ''];
    const { read } = dashboard.engine.store;
    for (const token of tokens) {
      assert.equal(token.length, 43);
      assert.equal(await read.sessions.findCompanyId(token, '2026-11-21T12:00:00.000Z'), undefined);
    }
  });

  it('a link works once', async () => {
    const link = await dashboard.link();
    assert.equal((await dashboard.browser().get(link)).status, 303);
    const replayed = await dashboard.browser().get(link);
    assert.equal(replayed.status, 403);
    assert.equal(replayed.headers.get('set-cookie'), null);
    assert.match(replayed.text, /<code>partner dashboard<\/code>/);
  });

  it('of twenty who come with one link at the same moment, one gets in', async () => {
    const link = await dashboard.link();
    const answers = await Promise.all(Array.from({ length: 20 }, () => dashboard.browser().get(link)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [303, ...Array<number>(19).fill(403)]);
  });

  it('a link works for ten minutes, by the machine’s clock', async () => {
    const [early, late] = [await dashboard.link(), await dashboard.link()];
    dashboard.engine.now += 365 * 24 * HOUR_MS;
    dashboard.machineNow += 10 * MINUTE_MS - 1;
    assert.equal((await dashboard.browser().get(early)).status, 303);
    dashboard.machineNow += 1;
    assert.equal((await dashboard.browser().get(late)).status, 403);
  });

  it('an unknown, an empty and a missing token sign nobody in', async () => {
    await dashboard.link();
    for (const query of [
      '?token=nonsense',
      '?token=',
      '',
      `?token=${'a'.repeat(5_000)}`,
      '?token=%00%0d%0a',
    ]) {
      const page = await dashboard.browser().get(`/dashboard/sign-in${query}`);
      assert.equal(page.status, 403, query);
      assert.doesNotMatch(page.text, /nonsense/);
    }
  });

  it('a HEAD or a browser that fetches ahead does not use a link up', async () => {
    const link = await dashboard.link();
    const ahead: Record<string, string>[] = prefetches.headers;
    for (const headers of ahead) {
      const answer = await dashboard.browser().get(link, headers);
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    const head = await dashboard.app(new Request(`http://127.0.0.1:4650${link}`, { method: 'HEAD' }));
    assert.deepEqual([head.status, head.headers.get('set-cookie')], [200, null]);
    assert.equal((await dashboard.browser().get(link)).status, 303);
  });

  it('a session lasts twelve hours by the machine’s clock, wherever the engine’s is moved', async () => {
    const browser = await dashboard.signedIn();
    dashboard.engine.now += 365 * 24 * HOUR_MS;
    dashboard.machineNow += 12 * HOUR_MS - 1;
    assert.match((await browser.get('/dashboard')).text, /2027-03-02T09:00:00\.000Z/);
    dashboard.machineNow += 1;
    assert.equal((await browser.get('/dashboard')).status, 401);
  });

  it('a made-up session is none', async () => {
    const browser = await dashboard.signedIn();
    const [name] = browser.cookie.split('=');
    for (const value of ['', 'a'.repeat(43), `${browser.cookie.split('=')[1]}x`, '%00']) {
      const headers = { cookie: `${name}=${value}` };
      assert.equal((await dashboard.browser().get('/dashboard', headers)).status, 401, value);
    }
  });

  it('signing out ends the session, also for whoever has kept the cookie', async () => {
    const browser = await dashboard.signedIn();
    const other = await dashboard.signedIn();
    const kept = browser.cookie;
    const page = await browser.post('/dashboard/sign-out');
    assert.equal(page.status, 200);
    const expected = /^partner_session_4650=; Path=\/dashboard; Max-Age=0;/;
    assert.match(page.headers.get('set-cookie') ?? '', expected);
    assert.equal((await dashboard.browser().get('/dashboard', { cookie: kept })).status, 401);
    assert.equal((await other.get('/dashboard')).status, 200);
  });
});
