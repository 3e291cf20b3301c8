import assert from 'node:assert/strict';
import { html } from 'hono/html';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { DashboardRoute, Reply } from '../../../src/engine/dashboard/page.ts';
import { fixture } from '../../fixture.ts';
import { dashboardFor, ORIGIN } from './dashboard-under-test.ts';
import fileNames from './file-names.json' with { type: 'json' };

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

describe('every answer of the dashboard', () => {
  let reply: () => Reply;
  const home: DashboardRoute = { method: 'GET', path: '/', handle: async () => reply() };
  const dashboard = dashboardFor('all tests', { routes: [home] });
  const browser = fixture('all tests', () => dashboard.signedIn());
  beforeEach(() => {
    dashboard.engine.bugs.length = 0;
    reply = () => ({ page: { title: 'Home', body: html`<h1>Home</h1>` } });
  });

  const download = async (name: string, type = 'application/pdf'): Promise<Headers> => {
    reply = () => ({ download: { name, type, content: 'content' } });
    const { status, headers, text } = await browser.get('/dashboard');
    assert.equal(status, 200);
    assert.equal(text, 'content');
    return headers;
  };

  it('may be shown in no frame, run no script, load nothing from elsewhere, and be kept by nobody', async () => {
    const link = await dashboard.link();
    const stranger = dashboard.browser();
    const answers = [
      await browser.get('/dashboard'),
      await browser.get('/dashboard/no-such-page'),
      await stranger.get('/dashboard'),
      await stranger.get('/dashboard/sign-in?token=x'),
      await stranger.get(link, { 'sec-purpose': 'prefetch' }),
      await stranger.get(link),
      await browser.post('/dashboard/sign-out', { csrf: 'wrong' }),
      await browser.post('/dashboard', { csrf: 'wrong' }),
    ];
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, [200, 404, 401, 403, 503, 303, 403, 404]);
    for (const { headers, status } of answers) {
      const of = (name: string) => headers.get(name);
      assert.equal(of('content-security-policy'), POLICY, String(status));
      assert.equal(of('x-frame-options'), 'DENY');
      assert.equal(of('x-content-type-options'), 'nosniff');
      assert.equal(of('referrer-policy'), 'same-origin');
      assert.equal(of('cache-control'), 'no-store');
      assert.equal(of('cross-origin-opener-policy'), 'same-origin');
      assert.equal(of('cross-origin-resource-policy'), 'same-origin');
      assert.match(of('permissions-policy') ?? '', /camera=\(\)/);
    }
  });

  it('tells an error of the contract by its status, what happened and what to do', async () => {
    reply = () => {
      throw new PartnerError('VALIDATION_FAILED', {
        message: 'the budget is <b>wrong</b>',
        fields: { 'budgets[0].window': 'must be `DAILY`, not <script>' },
        hint: 'run `partner budgets get`',
      });
    };
    const { status, text } = await browser.get('/dashboard');
    assert.equal(status, 422);
    assert.match(text, /The budget is &lt;b&gt;wrong&lt;\/b&gt;\./);
    assert.match(text, /<strong>budgets\[0\]\.window<\/strong>: must be/);
    assert.match(text, /<code>partner budgets get<\/code>/);
    assert.match(text, /<main .*<a class="button" href="\/dashboard">/s, 'a way on from there');
    assert.doesNotMatch(text, /<script|<b>/);
    assert.deepEqual(dashboard.engine.bugs, []);
  });

  it('shows nothing of a fault of the engine, and reports it', async () => {
    for (const [fault, expected] of [
      [new Error('secret of /home/jo'), 500],
      [new PartnerError('DATABASE_UNUSABLE', { message: 'secret of /home/jo' }), 503],
    ] as const) {
      reply = () => {
        throw fault;
      };
      const { status, text } = await browser.get('/dashboard');
      assert.equal(status, expected);
      assert.doesNotMatch(text, /secret|\/home/);
      assert.equal(dashboard.engine.bugs.pop(), fault);
    }
  });

  it('is saved, not shown, where it is a file: it could be a page or a drawing with a script', async () => {
    const headers = await download('resume.svg', 'image/svg+xml');
    assert.equal(headers.get('content-type'), 'image/svg+xml');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox$/);
    const expected = `attachment; filename="resume.svg"; filename*=UTF-8''resume.svg`;
    assert.equal(headers.get('content-disposition'), expected);
  });

  for (const [name, plain, whole] of fileNames as [string, string, string][])
    it(`names a file so that nothing else can be read out of it: ${JSON.stringify(name)}`, async () => {
      const headers = await download(name);
      const expected = `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
      assert.equal(headers.get('content-disposition'), expected);
      assert.equal(headers.get('set-cookie'), null);
    });

  it('but the style can be kept, for as long as its address is the same', async () => {
    const { text } = await dashboard.browser().get('/dashboard');
    const [, address = ''] = /href="(\/dashboard\/style\.css\?v=\w+)"/.exec(text) ?? [];
    const style = await dashboard.browser().get(address);
    assert.equal(style.status, 200);
    assert.match(style.headers.get('content-type') ?? '', /^text\/css/);
    assert.match(style.headers.get('cache-control') ?? '', /immutable/);
    const plain = await dashboard.browser().get('/dashboard/style.css');
    assert.equal(plain.headers.get('cache-control'), 'no-cache');
  });

  describe('by the name it is asked by', () => {
    const asked = (url: string, localAddress?: string) =>
      dashboard.app(new Request(url, { headers: { cookie: browser.cookie } }), { localAddress });

    for (const localAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.9.1'])
      it(`is refused to other names than this machine's where it came to ${localAddress}`, async () => {
        for (const host of ['attacker.example', '127.0.0.1.attacker.example', '192.168.1.5', '0.0.0.0']) {
          const link = await dashboard.link();
          for (const address of ['/dashboard', '/dashboard/style.css', link]) {
            const answer = await asked(`http://${host}:4650${address}`, localAddress);
            assert.equal(answer.status, 421, host + address);
            assert.equal(answer.headers.get('content-security-policy'), POLICY);
          }
          assert.equal((await dashboard.browser().get(link)).status, 303, 'the link is not used up');
        }
        for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST', 'partner.localhost'])
          assert.equal((await asked(`http://${host}:4650/dashboard`, localAddress)).status, 200, host);
      });

    it('is given to any where it came to an address that the network can reach', async () => {
      for (const host of ['192.168.1.5', 'jobs.example'])
        assert.equal((await asked(`http://${host}:4650/dashboard`, '192.168.1.5')).status, 200);
    });

    it('holds sessions of one port apart from those of another', async () => {
      const other = await dashboard.app(
        new Request('http://127.0.0.1:4651/dashboard', { headers: { cookie: browser.cookie } }),
      );
      assert.equal(other.status, 401);
      assert.match(ORIGIN, /:4650$/);
    });
  });
});
