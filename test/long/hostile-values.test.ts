import assert from 'node:assert/strict';
import { DASHBOARD_ROUTES } from '../../src/engine/dashboard/app.ts';
import { candidateOf } from '../engine/applications/candidate.ts';
import { PDF } from '../engine/applications/documents.ts';
import { dashboardFor } from '../engine/dashboard/dashboard-under-test.ts';
import { COMPLETE } from '../engine/listing.ts';
import { describeOnEach } from '../engine/store/dialects.ts';

/** As they stand in an address. PostgreSQL stores no NUL, compares no text with a number, and bounds its integers. */
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
/** The same, as text; a lone surrogate and bytes that are no UTF-8 cannot be written as such. */
const TEXTS = VALUES.map((value) => {
  try {
    return decodeURIComponent(value);
  } catch {
    return `\ud800${value}`;
  }
});

describeOnEach('whatever stands where a value belongs', (kind) => {
  const dashboard = dashboardFor('all tests', { kind });
  let jobId: number;
  let questionId: string;
  before(async () => {
    const candidate = candidateOf(dashboard.engine);
    const body = await candidate.publish({ questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }] });
    jobId = body.id;
    questionId = body.questions[0].id;
  });

  async function assertTaken(status: number, what: string): Promise<void> {
    assert.ok(status < 500, `${status} for ${what}: ${dashboard.engine.bugs}`);
    assert.deepEqual(dashboard.engine.bugs, [], what);
  }

  for (const address of [
    ...['/jobs/{}', '/jobs?cursor={}', '/jobs?limit={}', '/jobs?status={}', '/jobs?opportunityId={}'],
    ...['/locations/search?q={}', '/locations/search?q=a&country={}', '/{}'],
    ...['/../candidate/v1/jobs/{}', '/../candidate/v1/jobs?cursor={}', '/../candidate/v1/jobs?limit={}'],
  ]) {
    it(`is answered without a fault of the engine: GET ${address}`, async () => {
      for (const value of VALUES) {
        const path = address.replace('{}', value);
        await assertTaken((await dashboard.engine.call('GET', path)).status, path);
      }
    });
  }

  for (const address of ['/jobs/{}/publish', '/jobs/{}/close', '/../candidate/v1/jobs/{}/applications']) {
    it(`is answered without a fault of the engine: POST ${address}`, async () => {
      for (const value of VALUES) {
        const path = address.replace('{}', value);
        await assertTaken((await dashboard.engine.call('POST', path, {})).status, path);
      }
    });
  }

  it('is answered without a fault of the engine: a file name', async () => {
    for (const value of VALUES) {
      const path = `/../candidate/v1/files?name=${value}`;
      await assertTaken((await dashboard.engine.call('POST', path, PDF)).status, path);
    }
  });

  it('is answered without a fault of the engine: headers', async () => {
    const bytes = [...VALUES, '\x80\xff', 'é', 'k'.repeat(255), '\u007f'];
    for (const value of bytes) {
      for (const headers of [
        { 'idempotency-key': value },
        { authorization: `Bearer ${value}` },
        { 'content-type': value },
        { 'content-length': value },
      ]) {
        const { status } = await dashboard.engine.call('POST', '/jobs', {}, headers as never);
        await assertTaken(status, JSON.stringify(headers));
      }
    }
  });

  it('is answered without a fault of the engine: each text of a listing and of an application', async () => {
    const candidate = candidateOf(dashboard.engine);
    for (const value of TEXTS) {
      for (const name of Object.keys(COMPLETE)) {
        const { status } = await dashboard.engine.call('PATCH', `/jobs/${jobId}`, { [name]: value });
        await assertTaken(status, `${name}: ${value}`);
      }
      for (const changes of [
        ...['firstName', 'lastName', 'email', 'phone', 'location', 'resume'].map((name) => ({
          [name]: value,
        })),
        { email: `${value}@example.com` },
        { answers: { [questionId]: value } },
        { answers: { [value]: 'x' } },
        { meets: [value] },
      ]) {
        const { status } = await candidate.apply(jobId, changes);
        await assertTaken(status, JSON.stringify(changes));
      }
    }
  });

  it('is answered without a fault of the engine: addresses, questions, cookies and forms of the dashboard', async () => {
    const browser = await dashboard.signedIn();
    for (const [index, value] of VALUES.entries()) {
      for (const { method, path } of DASHBOARD_ROUTES) {
        const address = `/dashboard${path}`.replaceAll(/:\w+/g, value);
        const fields = ['to', 'version', 'DAILY', 'status', 'before', 'month'].map((name) => [
          name,
          TEXTS[index] ?? '',
        ]);
        const query = ['before', 'after', 'status', 'month', 'page', 'done'].map(
          (name) => `${name}=${value}`,
        );
        const { status } =
          method === 'GET'
            ? await browser.get(`${address}?${query.join('&')}`)
            : await browser.post(address, Object.fromEntries(fields));
        await assertTaken(status, `${method} ${address}`);
      }
      const nobody = dashboard.browser();
      await assertTaken((await nobody.get(`/dashboard/sign-in?token=${value}`)).status, `token ${value}`);
      await assertTaken(
        (await nobody.get('/dashboard', { cookie: `${browser.cookie.split('=')[0]}=${value}` })).status,
        'cookie',
      );
    }
  });
});
