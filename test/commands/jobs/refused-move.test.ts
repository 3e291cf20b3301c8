import assert from 'node:assert/strict';
import { withNext } from '../../../src/commands/jobs/refused-move.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

const REFUSAL = new PartnerError('INVALID_TRANSITION', { message: 'the server says no', status: 409 });

describe('the next step after a refused move', () => {
  it('of a paused job is to resume it, of an expired one to repost it', () => {
    assert.match(
      withNext(REFUSAL, { id: 6, status: 'PAUSED' }, 6, 'ACTIVE').hint ?? '',
      /`partner jobs resume 6`/,
    );
    assert.match(withNext(REFUSAL, { id: 6, status: 'EXPIRED' }, 6).hint ?? '', /`partner jobs repost 6`/);
  });

  it("stays the table's where the state is unknown or could not be read, and the error stays the server's", () => {
    for (const job of [undefined, { id: 6 }, { id: 6, status: 'toString' }]) {
      assert.equal(withNext(REFUSAL, job, 6, 'PAUSED'), REFUSAL);
    }
    const { message, code, status } = withNext(REFUSAL, { id: 6, status: 'DRAFT' }, 6);
    assert.deepEqual([message, code, status], ['the server says no', 'INVALID_TRANSITION', 409]);
  });
});
