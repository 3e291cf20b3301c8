import assert from 'node:assert/strict';
import { html } from 'hono/html';
import type { DashboardRoute } from '../../../src/engine/dashboard/page.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { type Browser, type DashboardUnderTest, dashboardOn } from './dashboard-under-test.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const KIB = 1024;

/** A page that changes something: what was sent to it is remembered. */
function rememberingRoutes(taken: string[]): readonly DashboardRoute[] {
  return [
    {
      method: 'GET',
      path: '/',
      handle: async ({ csrf }) => ({
        page: { title: 'Home', body: html`<input name="csrf" value="${csrf}">` },
      }),
    },
    {
      method: 'POST',
      path: '/notes/:id',
      handle: async ({ company, form, params }) => {
        taken.push(`${company.name} ${params.id} ${form.get('note')}`);
        return { redirect: '/dashboard' };
      },
    },
  ];
}

describe('a form of the dashboard', () => {
  const path = temporaryDirectory();
  const taken: string[] = [];
  let dashboard: DashboardUnderTest;
  let browser: Browser;
  before(async () => {
    dashboard = await dashboardOn(path('forms.db'), rememberingRoutes(taken));
  });
  beforeEach(async () => {
    browser = await dashboard.signedIn();
    taken.length = 0;
  });
  after(async () => {
    assert.deepEqual(dashboard.engine.bugs, []);
    await dashboard.engine.store.close();
  });

  it('is taken from a page of its session, and answered with where to look', async () => {
    const answer = await browser.post('/dashboard/notes/7', { note: 'Grüße & <b>' });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), '/dashboard');
    assert.deepEqual(taken, ['Acme 7 Grüße & <b>']);
  });

  it('without the token of its session is refused: none, a wrong one, one of another session, two', async () => {
    const other = await dashboard.signedIn();
    const { id } = await dashboard.engine.operator.companies.create('Other');
    const stranger = await dashboard.signedIn(id);
    const own = await browser.csrf();
    const wrong = [
      '',
      'x',
      own.slice(1),
      `${own} `,
      own.toUpperCase(),
      await other.csrf(),
      await stranger.csrf(),
    ];
    for (const csrf of wrong) {
      const page = await browser.post('/dashboard/notes/7', { note: 'a', csrf });
      assert.equal(page.status, 403, csrf);
      assert.match(page.text, /Nothing was changed/);
    }
    const headers = { ...FORM, cookie: browser.cookie };
    for (const body of ['note=a', `note=a&csrf=${own}&csrf=${own}`]) {
      const request = new Request('http://127.0.0.1:4650/dashboard/notes/7', {
        method: 'POST',
        headers,
        body,
      });
      assert.equal((await dashboard.app(request)).status, 403, body);
    }
    assert.deepEqual(taken, []);
  });

  const foreign: readonly Record<string, string>[] = [
    { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://127.0.0.1:4651' },
    { origin: 'http://localhost:4650' },
    { origin: 'https://127.0.0.1:4650' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    it(`with the right token from elsewhere is refused: ${JSON.stringify(headers)}`, async () => {
      const page = await browser.post('/dashboard/notes/7', { note: 'a' }, headers);
      assert.equal(page.status, 403);
      assert.deepEqual(taken, []);
      const out = await browser.post('/dashboard/sign-out', {}, headers);
      assert.equal(out.status, 403);
      assert.equal((await browser.get('/dashboard')).status, 200);
    });
  }

  it('is a form: anything else is 415', async () => {
    for (const type of [
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/json',
      'application/x-www-form-urlencoded; charset=utf-16',
      'application/x-www-form-urlencodedx',
      '',
    ]) {
      const page = await browser.post('/dashboard/notes/7', { note: 'a' }, { 'content-type': type });
      assert.equal(page.status, 415, type);
    }
    const zipped = await browser.post('/dashboard/notes/7', { note: 'a' }, { 'content-encoding': 'gzip' });
    assert.equal(zipped.status, 415);
    const spelled = { 'content-type': 'Application/X-WWW-Form-Urlencoded;charset="UTF-8"' };
    assert.equal((await browser.post('/dashboard/notes/7', { note: 'a' }, spelled)).status, 303);
    assert.equal(taken.length, 1);
  });

  it('is at most 64 KiB: one byte more is 413', async () => {
    const csrf = await browser.csrf();
    const room = 64 * KIB - new URLSearchParams({ note: '', csrf }).toString().length;
    assert.equal((await browser.post('/dashboard/notes/7', { note: 'a'.repeat(room) })).status, 303);
    const page = await browser.post('/dashboard/notes/7', { note: 'a'.repeat(room + 1) });
    assert.equal(page.status, 413);
    assert.match(page.text, /larger than 64 KiB/);
    assert.equal(taken.length, 1);
  });

  it('of unknown length is read no further than its limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(16 * KIB).fill(0x61));
      },
    });
    const headers = { ...FORM, cookie: browser.cookie };
    const init = { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit;
    const answer = await dashboard.app(new Request('http://127.0.0.1:4650/dashboard/notes/7', init));
    assert.equal(answer.status, 413);
    assert.ok(pulled <= 7, `${pulled} pieces of 16 KiB`);
  });

  it('that breaks off changes nothing', async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('note=a'));
        controller.error(new Error('cut'));
      },
    });
    const headers = { ...FORM, cookie: browser.cookie };
    const init = { method: 'POST', headers, body: broken, duplex: 'half' } as RequestInit;
    const answer = await dashboard.app(new Request('http://127.0.0.1:4650/dashboard/notes/7', init));
    assert.equal(answer.status, 422);
    assert.deepEqual(taken, []);
  });

  it('is never a GET: the address of a form answers 405 to it, and says what it takes', async () => {
    const csrf = await browser.csrf();
    for (const [method, address, allow] of [
      ['GET', `/dashboard/notes/7?note=a&csrf=${csrf}`, 'POST'],
      ['HEAD', '/dashboard/notes/7', 'POST'],
      ['PUT', '/dashboard/notes/7', 'POST'],
      ['GET', `/dashboard/sign-out?csrf=${csrf}`, 'POST'],
      ['POST', '/dashboard', 'GET, HEAD'],
      ['DELETE', '/dashboard', 'GET, HEAD'],
      ['POST', '/dashboard/sign-in', 'GET, HEAD'],
    ]) {
      const request = new Request(`http://127.0.0.1:4650${address}`, {
        method: method ?? '',
        headers: { cookie: browser.cookie },
      });
      const answer = await dashboard.app(request);
      assert.equal(answer.status, 405, `${method} ${address}`);
      assert.equal(answer.headers.get('allow'), allow);
    }
    assert.equal((await browser.get('/dashboard')).status, 200);
    assert.deepEqual(taken, []);
  });
});
