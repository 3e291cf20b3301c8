import assert from 'node:assert/strict';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Connection } from '../../../src/engine/store/connection.ts';
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
  function serverThat(answer: (statement: string, times: number) => void, isStale = false) {
    const client = {
      async query(statement: string) {
        sent.push(statement);
        answer(statement, sent.filter((one) => one === statement).length);
        return { command: statement.toUpperCase(), rowCount: 0, rows: [] };
      },
      release: () => void sent.push('release'),
      isFresh: () => true,
      isStale,
    };
    const pool: PostgresPool = {
      connect: async () => client as unknown as PostgresPoolClient,
      end: async () => {},
    };
    return createServer(pool, { pause: async (ms) => void pausesMs.push(ms), random: () => 1 });
  }

  const write = (server: ReturnType<typeof serverThat>, isSingle = false) =>
    server.transact(async ({ direct }) => direct()?.first('write', []), isSingle);

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

  it('says why a statement without a result failed, also in a later transaction of the connection', async () => {
    const server = serverThat((statement, times) => {
      if (statement === 'put' && times === 2) throw refusal('23503');
    });
    // The store keeps the queries of a connection.
    let kept: Connection['direct'] | undefined;
    const put = () =>
      server.transact(async ({ direct }) => {
        kept ??= direct;
        kept()?.last?.first('put', []);
      });
    await put();
    await assert.rejects(put(), { code: '23503' });
  });

  it('of a single statement has no other statements, and is run again after a conflict', async () => {
    const server = serverThat((_, times) => {
      if (times === 1) throw refusal('40001');
    });
    await write(server, true);
    assert.deepEqual(sent, ['write', 'release', 'write', 'release']);
  });

  it('of a single statement is never run again after a lost connection, because it may have committed', async () => {
    const server = serverThat(() => {
      throw refusal('ECONNRESET');
    }, true);
    await assert.rejects(write(server, true), /ECONNRESET/);
    assert.deepEqual(sent, ['write', 'release']);
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
