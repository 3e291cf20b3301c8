import assert from 'node:assert/strict';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { createServer } from '../../../src/engine/store/postgres-transactions.ts';

const refusal = (code: string) => Object.assign(new Error(code), { severity: 'ERROR', code });

describe('a transaction on PostgreSQL', () => {
  let sent: string[];
  let pausesMs: number[];

  beforeEach(() => {
    sent = [];
    pausesMs = [];
  });

  /** Each statement succeeds unless `answer` throws. */
  function serverThat(answer: (statement: string, times: number) => void) {
    const client = {
      async query(statement: string) {
        sent.push(statement);
        answer(statement, sent.filter((one) => one === statement).length);
        return { command: statement.toUpperCase(), rowCount: 0, rows: [] };
      },
      release: () => void sent.push('release'),
    };
    const pool: PostgresPool = {
      connect: async () => client as unknown as PostgresPoolClient,
      end: async () => {},
    };
    return createServer(pool, { pause: async (ms) => void pausesMs.push(ms), random: () => 1 });
  }

  const write = (server: ReturnType<typeof serverThat>) =>
    server.transact(async ({ direct }) => direct()?.first('write', []));

  it('is run again where a statement or the commit meets a conflict', async () => {
    for (const [failing, code] of [
      ['write', '40P01'],
      ['commit', '40001'],
    ]) {
      sent = [];
      await write(
        serverThat((statement, times) => {
          if (statement === failing && times === 1) throw refusal(code ?? '');
        }),
      );
      const undone = failing === 'write' ? ['begin', 'write'] : ['begin', 'write', 'commit'];
      assert.deepEqual(sent, [...undone, 'rollback', 'release', 'begin', 'write', 'commit', 'release']);
    }
  });

  it('pauses longer before each further attempt, and gives up in the end', async () => {
    const server = serverThat((statement) => {
      if (statement === 'commit') throw refusal('40001');
    });
    await assert.rejects(write(server), { code: 'DATABASE_UNUSABLE' });
    assert.deepEqual(pausesMs, [20, 40, 80, 160, 320, 640, 1000, 1000, 1000]);
  });

  it('is never run again after a commit without an answer, which may have happened', async () => {
    const server = serverThat((statement) => {
      if (statement === 'commit') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    });
    await assert.rejects(write(server), /ECONNRESET/);
    assert.equal(sent.filter((statement) => statement === 'begin').length, 1);
  });

  it('says why it failed, also where undoing it fails as well', async () => {
    const server = serverThat((statement) => {
      if (statement === 'write') throw new Error('first');
      if (statement === 'rollback') throw new Error('second');
    });
    await assert.rejects(write(server), /first/);
    assert.equal(sent.at(-1), 'release');
  });
});
