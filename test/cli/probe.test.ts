import assert from 'node:assert/strict';
import type { Connection } from '../../src/cli/connection/connect.ts';
import { assertServesKey, companyOfKey } from '../../src/cli/probe.ts';
import { PartnerClient, type Send } from '../../src/client/client.ts';
import { loadListedJobs } from '../../src/commands/jobs/listed-jobs.ts';
import { PartnerError } from '../../src/contract/errors.ts';

const ADDRESS_UNKNOWN = Response.json(
  { error: { code: 'NOT_FOUND', message: 'no such URL' } },
  { status: 404 },
);

function clientOver(send: Send) {
  return new PartnerClient({
    baseUrl: 'http://localhost',
    key: 'sk_ext_0123456789',
    send,
    timeoutMs: 5000,
    clock: () => 0,
    monotonicNow: () => 0,
    sleep: async () => {},
    random: () => 0,
    newIdempotencyKey: () => 'key',
    userAgent: 'test',
  });
}

describe('a base URL that leads beside the API', () => {
  const client = clientOver(async () => ADDRESS_UNKNOWN.clone());

  it('is never told as a key that was taken', () => assert.rejects(assertServesKey(client), isWrongAddress));

  it('is never told as a server without jobs', async () => {
    const connection = {
      client,
      createdJobs: { ids: () => [], append: () => undefined },
    } as unknown as Connection;
    await assert.rejects(loadListedJobs(connection, {}, 50), isWrongAddress);
  });

  it('is never told as a job that does not exist where a job is made', () =>
    assert.rejects(client.createJob({ title: 'Nurse' }), isWrongAddress));
});

describe('a key', () => {
  it('was taken by a server that only dislikes the search text', async () => {
    const refusal = { error: { code: 'VALIDATION_FAILED', message: 'q is called query here' } };
    await assertServesKey(clientOver(async () => Response.json(refusal, { status: 422 })));
  });
});

describe('whose jobs a key acts on', () => {
  it('is asked in one call, for one job at most', async () => {
    const asked: string[] = [];
    const client = clientOver(async ({ url }) => {
      asked.push(new URL(url).pathname + new URL(url).search);
      return Response.json({ items: [{ id: 1, title: 'Nurse', companyId: 'cmp_1' }], nextCursor: null });
    });
    assert.equal(await companyOfKey(client), 'cmp_1');
    assert.deepEqual(asked, ['/jobs?limit=1']);
  });

  it('stays open where the server fails, and Ctrl-C is not taken for that', async () => {
    const failing = clientOver(async () => Response.json({}, { status: 500 }));
    assert.equal(await companyOfKey(failing), undefined);
    const interrupted = clientOver(async () => {
      throw new PartnerError('INTERRUPTED');
    });
    await assert.rejects(companyOfKey(interrupted), { code: 'INTERRUPTED' });
  });
});

function isWrongAddress(error: unknown): boolean {
  assert.ok(error instanceof PartnerError);
  assert.equal(error.code, 'ANSWER_UNREADABLE');
  assert.match(error.hint ?? '', /--base-url/);
  return true;
}
