import assert from 'node:assert/strict';
import { DASHBOARD_ROUTES } from '../../src/engine/dashboard/app.ts';
import { candidateOf } from '../engine/applications/candidate.ts';
import { PDF } from '../engine/applications/documents.ts';
import { dashboardFor } from '../engine/dashboard/dashboard-under-test.ts';
import type { EngineUnderTest } from '../engine/engine-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { describeOnEach } from '../engine/store/dialects.ts';
import { fixture } from '../fixture.ts';
import hostileValues from './hostile-values.json' with { type: 'json' };

/** URL-encoded. PostgreSQL can't store NUL, can't compare text with a number, and limits its integers. */
const VALUES = [
  ...['%00', 'a%00b', '%ED%A0%80', '%FF', '%', '%EF%BF%BF', '%F4%8F%BF%BF', '%27%22%5C', '%E2%80%AE'],
  ...['', '%20', '0', '-1', '1.5', '1e3', '0x1', 'NaN', '2147483648', '9007199254740993'],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '9'.repeat(400),
    'x'.repeat(3_000),
    "'; drop table jobs --",
  ],
];
/** Values that can't be decoded get a lone surrogate in front, to be invalid text as well. */
const TEXTS = VALUES.map((value) => {
  try {
    return decodeURIComponent(value);
  } catch {
    return `\ud800${value}`;
  }
});

describeOnEach('whatever stands where a value belongs is answered without a fault of the engine', (kind) => {
  const dashboard = dashboardFor('all tests', { kind });
  let jobId: number;
  let questionId: string;
  const candidate = fixture('all tests', () => candidateOf(dashboard.engine));
  before(async () => {
    const body = await candidate.publish({ questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }] });
    jobId = body.id;
    questionId = body.questions[0].id;
  });

  async function assertTaken(answered: Promise<{ readonly status: number }>, what: string): Promise<void> {
    const { status } = await answered;
    assert.ok(status < 500, `${status} for ${what}: ${dashboard.engine.bugs}`);
    assert.deepEqual(dashboard.engine.bugs, [], what);
  }
  const call: EngineUnderTest['call'] = (...sent) => dashboard.engine.call(...sent);

  for (const address of hostileValues.addresses)
    it(address, async () => {
      const [method = '', form = ''] = address.split(' ');
      const body = method === 'GET' ? undefined : form.includes('/files') ? PDF : {};
      for (const value of VALUES) {
        const path = form.replace('{}', value);
        await assertTaken(call(method, path, body), path);
      }
    });

  it('headers', async () => {
    for (const value of [...VALUES, '\x80\xff', 'é', 'k'.repeat(255), '\u007f']) {
      for (const [name, text] of [
        ['idempotency-key', value],
        ['authorization', `Bearer ${value}`],
        ['content-type', value],
        ['content-length', value],
      ] as const)
        await assertTaken(call('POST', '/jobs', {}, { [name]: text }), `${name}: ${value}`);
    }
  });

  it('each text of a listing and of an application', async () => {
    for (const value of TEXTS) {
      for (const name of Object.keys(COMPLETE))
        await assertTaken(call('PATCH', `/jobs/${jobId}`, { [name]: value }), `${name}: ${value}`);
      const basics = ['firstName', 'lastName', 'email', 'phone', 'location', 'resume'];
      for (const changes of [
        ...basics.map((name) => ({ [name]: value })),
        { email: `${value}@example.com` },
        { answers: { [questionId]: value } },
        { answers: { [value]: 'x' } },
        { meets: [value] },
      ])
        await assertTaken(candidate.apply(jobId, changes), JSON.stringify(changes));
    }
  });

  it('addresses, questions, cookies and forms of the dashboard', async () => {
    const browser = await dashboard.signedIn();
    const nobody = dashboard.browser();
    const cookieName = browser.cookie.split('=')[0];
    for (const [index, value] of VALUES.entries()) {
      const fields = ['to', 'version', 'DAILY', 'status', 'before', 'month'];
      const form = Object.fromEntries(fields.map((name) => [name, TEXTS[index] ?? '']));
      const questions = ['before', 'after', 'status', 'month', 'page', 'done'];
      const query = questions.map((name) => `${name}=${value}`).join('&');
      for (const { method, path } of DASHBOARD_ROUTES) {
        const address = `/dashboard${path}`.replaceAll(/:\w+/g, value);
        const answer = method === 'GET' ? browser.get(`${address}?${query}`) : browser.post(address, form);
        await assertTaken(answer, `${method} ${address}`);
      }
      await assertTaken(nobody.get(`/dashboard/sign-in?token=${value}`), `token ${value}`);
      await assertTaken(nobody.get('/dashboard', { cookie: `${cookieName}=${value}` }), `cookie ${value}`);
    }
  });
});
