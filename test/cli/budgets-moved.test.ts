import assert from 'node:assert/strict';
import { RealServers } from '../client/real-server.ts';
import { newHome, type Run } from './partner.ts';

const DAILY = { window: 'DAILY', budgetCents: 5000 };
const WEEKLY = { window: 'WEEKLY', budgetCents: 20000 };

type Cap = Readonly<Record<string, unknown>>;

describe('caps that another changes while a command changes them', () => {
  const servers = new RealServers();
  afterEach(() => servers.close());

  /** A server whose WEEKLY cap is changed to `moved` after it was first read; gives the run and the caps at its end. */
  async function run(
    argv: readonly string[],
    moved: readonly Cap[],
  ): Promise<Run & { caps: readonly Cap[] }> {
    let caps: readonly Cap[] = [DAILY, WEEKLY];
    const server = await servers.listen(({ method, body }, _, response) => {
      if (method === 'PATCH') caps = JSON.parse(body).budgets;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 1, title: 'Nurse', status: 'DRAFT', budgets: caps }));
      if (method === 'GET') caps = moved;
    });
    const home = await newHome();
    const env = { PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' };
    const ended = await home.run([...argv, '--json', '--base-url', `${server.origin}/v1`], { env });
    return { ...ended, caps };
  }

  it('are kept by `budgets set` for windows that it does not name, and said', async () => {
    const argv = ['budgets', 'set', '1', '--daily-cents', '7000'];
    const { code, stderr, caps } = await run(argv, [DAILY, { ...WEEKLY, budgetCents: 90000 }]);
    assert.equal(code, 0);
    assert.deepEqual(caps, [
      { window: 'WEEKLY', budgetCents: 90000 },
      { window: 'DAILY', budgetCents: 7000 },
    ]);
    assert.match(
      stderr,
      /the caps were changed elsewhere while this ran: ~ weekly \$200\.00 → weekly \$900\.00/,
    );
  });

  it('are kept by `budgets clear --window` too, also those that came', async () => {
    const monthly = { window: 'MONTHLY', budgetCents: 90000 };
    const { code, stderr, caps } = await run(
      ['budgets', 'clear', '1', '--window', 'DAILY'],
      [DAILY, WEEKLY, monthly],
    );
    assert.deepEqual([code, caps], [0, [WEEKLY, monthly]]);
    assert.match(stderr, /changed elsewhere while this ran: \+ monthly \$900\.00/);
  });

  it('are not spoken of where nobody changed them', async () => {
    const { code, stderr } = await run(['budgets', 'set', '1', '--daily-cents', '7000'], [DAILY, WEEKLY]);
    assert.deepEqual([code, stderr], [0, '']);
  });
});

describe('a frozen job', () => {
  const servers = new RealServers();
  after(() => servers.close());

  it('is sent no entries that it has already, whatever the order of their keys', async () => {
    const qualifications = [{ id: 'q', text: 'License', kind: 'REQUIRED', order: 1 }];
    const questions = [{ id: 'a', prompt: 'Why?', answerFormat: 'TEXT', options: null, order: 1 }];
    const job = { id: 1, title: 'Nurse', status: 'DRAFT', isFrozen: true, qualifications, questions };
    const sent: object[] = [];
    const server = await servers.listen(({ method, body }, _, response) => {
      if (method === 'PATCH') sent.push(JSON.parse(body));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job));
    });
    const home = await newHome();
    const file = await home.file('job.json', {
      title: 'Welder',
      qualifications: [{ order: 1, kind: 'REQUIRED', text: 'License' }],
      questions: [{ order: 1, answerFormat: 'TEXT', prompt: 'Why?' }],
    });
    const env = { PARTNER_API_KEY: 'sk_ext_4c1d9f3c2ab7e8d6' };
    await home.must(['jobs', 'update', '1', file, '--base-url', `${server.origin}/v1`], { env });
    assert.deepEqual(sent, [{ title: 'Welder' }]);
  });
});
