import assert from 'node:assert/strict';
import { RealServers } from '../client/real-server.ts';
import { newHome, type Run } from './partner.ts';
import { answering, callsTo } from './servers.ts';

const DAILY = { window: 'DAILY', budgetCents: 5000 };
const WEEKLY = { window: 'WEEKLY', budgetCents: 20000 };

type Cap = Readonly<Record<string, unknown>>;

const servers = new RealServers();
afterEach(() => servers.close());

describe('caps that another changes while a command changes them', () => {
  /** A server whose caps are changed to `moved` after they were first read; gives the run and the caps at its end. */
  async function run(line: string, moved: readonly Cap[]): Promise<Run & { caps: readonly Cap[] }> {
    let caps: readonly Cap[] = [DAILY, WEEKLY];
    const server = await servers.listen((arrived, ...io) => {
      if (arrived.method === 'PATCH') caps = JSON.parse(arrived.body).budgets;
      answering(200, { id: 1, title: 'Nurse', status: 'DRAFT', budgets: caps })(arrived, ...io);
      if (arrived.method === 'GET') caps = moved;
    });
    const ended = await (await newHome()).run(`${line} --json`, { env: callsTo(server) });
    return { ...ended, caps };
  }

  it('are kept by `budgets set` for windows that it does not name, and said', async () => {
    const weekly = { ...WEEKLY, budgetCents: 90000 };
    const { code, stderr, caps } = await run('budgets set 1 --daily-cents 7000', [DAILY, weekly]);
    assert.deepEqual([code, caps], [0, [weekly, { ...DAILY, budgetCents: 7000 }]]);
    const said = /the caps were changed elsewhere while this ran: ~ weekly \$200\.00 → weekly \$900\.00/;
    assert.match(stderr, said);
  });

  it('are kept by `budgets clear --window` too, also those that came', async () => {
    const monthly = { window: 'MONTHLY', budgetCents: 90000 };
    const line = 'budgets clear 1 --window DAILY';
    const { code, stderr, caps } = await run(line, [DAILY, WEEKLY, monthly]);
    assert.deepEqual([code, caps], [0, [WEEKLY, monthly]]);
    assert.match(stderr, /changed elsewhere while this ran: \+ monthly \$900\.00/);
  });
});

it('a frozen job is sent no entries that it has already, whatever the order of their keys', async () => {
  const qualifications = [{ id: 'q', text: 'License', kind: 'REQUIRED', order: 1 }];
  const questions = [{ id: 'a', prompt: 'Why?', answerFormat: 'TEXT', options: null, order: 1 }];
  const job = { id: 1, title: 'Nurse', status: 'DRAFT', isFrozen: true, qualifications, questions };
  const server = await servers.listen(answering(200, job));
  const home = await newHome();
  await home.file('job.json', {
    title: 'Welder',
    qualifications: [{ order: 1, kind: 'REQUIRED', text: 'License' }],
    questions: [{ order: 1, answerFormat: 'TEXT', prompt: 'Why?' }],
  });
  await home.must('jobs update 1 job.json', { env: callsTo(server) });
  const sent = server.requests.filter(({ method }) => method === 'PATCH');
  assert.deepEqual(
    sent.map(({ body }) => JSON.parse(body)),
    [{ title: 'Welder' }],
  );
});
