import assert from 'node:assert/strict';
import { withNext } from '../../../src/commands/jobs/refused-move.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

const REFUSAL = new PartnerError('INVALID_TRANSITION', { message: 'the server says no', status: 409 });

describe('the next step after a refused move', () => {
  const hint = (status: string, reaches?: 'ACTIVE' | 'PAUSED' | 'CLOSED') =>
    withNext(REFUSAL, { id: 6, status }, 6, reaches).hint ?? '';

  it('of a draft is to publish it', () => assert.match(hint('DRAFT', 'PAUSED'), /`partner jobs publish 6`/));
  it('of a draft that was to be closed is none: it stays, is seen by nobody and costs nothing', () => {
    assert.match(
      hint('DRAFT', 'CLOSED'),
      /neither closed nor removed.*nobody sees it.*`partner jobs update 6`/,
    );
  });
  it('of a paused job is to resume it', () =>
    assert.match(hint('PAUSED', 'ACTIVE'), /`partner jobs resume 6`/));
  it('of a job that has ended is to repost it, for an edit too', () => {
    for (const [status, reaches] of [
      ['CLOSED', 'ACTIVE'],
      ['EXPIRED', 'CLOSED'],
      ['CLOSED', undefined],
    ] as const) {
      assert.match(hint(status, reaches), /`partner jobs repost 6`/);
    }
  });
  it('of a job that is there already is nothing', () => {
    for (const status of ['ACTIVE', 'PAUSED', 'CLOSED'] as const) {
      assert.match(hint(status, status), /^nothing to do; `--ensure`/);
    }
  });

  it("stays the table's where the state is unknown or could not be read, and the error stays the server's", () => {
    for (const job of [undefined, { id: 6 }, { id: 6, status: 'toString' }]) {
      assert.equal(withNext(REFUSAL, job, 6, 'PAUSED'), REFUSAL);
    }
    const { message, code, status } = withNext(REFUSAL, { id: 6, status: 'DRAFT' }, 6);
    assert.deepEqual([message, code, status], ['the server says no', 'INVALID_TRANSITION', 409]);
  });
});
