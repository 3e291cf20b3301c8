import assert from 'node:assert/strict';
import { html } from 'hono/html';
import { get, post } from '../../../src/engine/dashboard/page.ts';
import { fixture } from '../../fixture.ts';
import { dashboardFor, ORIGIN } from './dashboard-under-test.ts';
import forms from './forms.json' with { type: 'json' };

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const KIB = 1024;
const NOTES = '/dashboard/notes/7';

describe('a form of the dashboard', () => {
  const taken: string[] = [];
  const routes = [
    get('/', async ({ csrf }) => ({
      page: { title: 'Home', body: html`<input name="csrf" value="${csrf}">` },
    })),
    post('/notes/:id', async ({ company, form, params }) => {
      taken.push(`${company.name} ${params.id} ${form.get('note')}`);
      return { redirect: '/dashboard' };
    }),
  ];
  const dashboard = dashboardFor('all tests', { routes });
  const browser = fixture('each test', () => {
    taken.length = 0;
    return dashboard.signedIn();
  });

  /** Bypasses the test browser, which would add a token. */
  const raw = (init: RequestInit, address = NOTES) =>
    dashboard.app(new Request(ORIGIN + address, { headers: { ...FORM, cookie: browser.cookie }, ...init }));

  it('is taken from a page of its session, and answered with where to look', async () => {
    const answer = await browser.post(NOTES, { note: 'Grüße & <b>' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/dashboard']);
    assert.deepEqual(taken, ['Acme 7 Grüße & <b>']);
  });

  it('without the token of its session is refused: none, a wrong one, one of another session, two', async () => {
    const other = await dashboard.signedIn();
    const stranger = await dashboard.signedIn((await dashboard.engine.operator.companies.create('Other')).id);
    const own = await browser.csrf();
    const [others, strangers] = [await other.csrf(), await stranger.csrf()];
    for (const csrf of ['', 'x', own.slice(1), `${own} `, own.toUpperCase(), others, strangers]) {
      const page = await browser.post(NOTES, { note: 'a', csrf });
      assert.equal(page.status, 403, csrf);
      assert.match(page.text, /Nothing was changed/);
    }
    for (const body of ['note=a', `note=a&csrf=${own}&csrf=${own}`])
      assert.equal((await raw({ method: 'POST', body })).status, 403, body);
    assert.deepEqual(taken, []);
  });

  for (const headers of forms.elsewhere as Record<string, string>[])
    it(`with the right token from elsewhere is refused: ${JSON.stringify(headers)}`, async () => {
      assert.equal((await browser.post(NOTES, { note: 'a' }, headers)).status, 403);
      assert.equal((await browser.post('/dashboard/sign-out', {}, headers)).status, 403);
      assert.equal((await browser.get('/dashboard')).status, 200);
      assert.deepEqual(taken, []);
    });

  for (const headers of forms.otherTypes as Record<string, string>[])
    it(`is a form: ${JSON.stringify(headers)} is 415`, async () =>
      assert.equal((await browser.post(NOTES, { note: 'a' }, headers)).status, 415));

  it('may spell its type in other ways', async () => {
    const type = { 'content-type': 'Application/X-WWW-Form-Urlencoded;charset="UTF-8"' };
    assert.equal((await browser.post(NOTES, { note: 'a' }, type)).status, 303);
  });

  it('is at most 64 KiB: one byte more is 413', async () => {
    const csrf = await browser.csrf();
    const room = 64 * KIB - new URLSearchParams({ note: '', csrf }).toString().length;
    assert.equal((await browser.post(NOTES, { note: 'a'.repeat(room) })).status, 303);
    const page = await browser.post(NOTES, { note: 'a'.repeat(room + 1) });
    assert.equal(page.status, 413);
    assert.match(page.text, /larger than 64 KiB/);
    assert.equal(taken.length, 1);
  });

  it('of unknown length is read no further than its limit, and one that breaks off changes nothing', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(16 * KIB).fill(0x61));
      },
    });
    assert.equal((await raw({ method: 'POST', body: endless, duplex: 'half' } as RequestInit)).status, 413);
    assert.ok(pulled <= 7, `${pulled} pieces of 16 KiB`);
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
    assert.equal((await raw({ method: 'POST', body: broken, duplex: 'half' } as RequestInit)).status, 422);
    assert.deepEqual(taken, []);
  });

  it('is never a GET: the address of a form answers 404 to it', async () => {
    const csrf = await browser.csrf();
    for (const [method, address] of [
      ['GET', `${NOTES}?note=a&csrf=${csrf}`],
      ['HEAD', NOTES],
      ['PUT', NOTES],
      ['GET', `/dashboard/sign-out?csrf=${csrf}`],
      ['POST', '/dashboard'],
      ['DELETE', '/dashboard'],
      ['POST', '/dashboard/sign-in'],
    ] as const)
      assert.equal((await raw({ method }, address)).status, 404, `${method} ${address}`);
    assert.equal((await browser.get('/dashboard')).status, 200);
    assert.deepEqual(taken, []);
  });
});
