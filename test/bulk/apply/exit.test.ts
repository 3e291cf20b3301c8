import assert from 'node:assert/strict';
import { applyExit } from '../../../src/bulk/apply/outcome.ts';
import { RunStop } from '../../../src/bulk/apply/run-stop.ts';
import { NOTES } from '../../../src/bulk/plan/notes.ts';
import { type ErrorCode, PartnerError } from '../../../src/contract/errors.ts';
import { outcomeOf, planItem } from '../report/sample-run.ts';

describe('the exit code of an apply that has updated a listing', () => {
  for (const [what, exit, notes] of [
    ['is 0 where all was done', 0, []],
    ['is 9 where its job may not be live as it is to be', 9, [NOTES.STATUS_UNKNOWN(7, 'IN_REVIEW')]],
    ['is 9 where what is frozen was left out', 9, [NOTES.FROZEN([], 7)]],
  ] as const) {
    it(what, () => {
      const outcomes = [outcomeOf(planItem({ action: 'update', jobId: 7, notes }), { result: 'updated' })];
      assert.equal(applyExit({ outcomes, invalid: 0, stopped: undefined, gate: undefined }), exit);
    });
  }
});

/** Why a run stops after so many calls in a row that end so. */
function reasonAfter(calls: number, code: ErrorCode): ErrorCode | undefined {
  const stop = new RunStop();
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
    const stop = new RunStop();
    for (let call = 0; call < 100; call++) {
      stop.note(call % 10 === 0 ? undefined : new PartnerError('RATE_LIMITED'));
    }
    assert.equal(stop.reason, undefined);
  });
});
