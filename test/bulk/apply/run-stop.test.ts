import assert from 'node:assert/strict';
import { createRunStop } from '../../../src/bulk/apply/run-stop.ts';
import { type ErrorCode, PartnerError } from '../../../src/contract/errors.ts';

/** Why a run stops after so many calls in a row that end so. */
function reasonAfter(calls: number, code: ErrorCode): ErrorCode | undefined {
  const stop = createRunStop();
  for (let call = 0; call < calls; call++) stop.note(new PartnerError(code));
  return stop.reason?.code;
}

describe('a run', () => {
  for (const code of ['UNREACHABLE', 'TIMED_OUT', 'RATE_LIMITED', 'OUTCOME_UNKNOWN'] as const) {
    it(`stops with exit 8 after sixteen calls in a row that end in ${code}, and after no fewer`, () => {
      assert.deepEqual([reasonAfter(15, code), reasonAfter(16, code)], [undefined, code]);
      assert.equal(new PartnerError(code).exit, 8);
    });
  }

  it('goes on where a call comes through in between', () => {
    const stop = createRunStop();
    for (let call = 0; call < 100; call++) {
      stop.note(call % 10 === 0 ? undefined : new PartnerError('RATE_LIMITED'));
    }
    assert.equal(stop.reason, undefined);
  });
});
