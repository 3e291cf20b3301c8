import assert from 'node:assert/strict';
import { applyExit } from '../../../src/bulk/apply/outcome.ts';
import { RunStop } from '../../../src/bulk/apply/run-stop.ts';
import { createNote } from '../../../src/bulk/plan/notes.ts';
import { type ErrorCode, PartnerError } from '../../../src/contract/errors.ts';
import { outcomeOf, planItem } from '../../reports/sample-run.ts';

const NO_PLAN = { items: [], notices: [], unchanged: 0, live: 0 };

describe('the exit code of an apply that updated a listing', () => {
  const refused = new PartnerError('PAYMENT_METHOD_REQUIRED');
  const paused = { notices: [{ ...planItem({}), jobId: 7, notLive: 'PAUSED' as const }] };
  for (const [what, exit, given, live = 1, plan = {}] of [
    ['is 0 if all was done', 0, {}],
    ['is 9 if frozen fields were left out', 9, { notes: [createNote('FROZEN', { fields: '', jobId: 7 })] }],
    ['is 9 if its status is unknown and others are live', 9, { notLive: 'STATUS_UNKNOWN' }],
    ['is 11 if its status is unknown and none is live', 11, { notLive: 'STATUS_UNKNOWN' }, 0],
    ['is 9 if its publication was refused and others are live', 9, { publish: true }],
    ['is 11 if its publication was refused and none is live', 11, { publish: true }, 0],
    ['is 0 if the only job that is not live was paused', 0, {}, 0, paused],
  ] as const)
    it(what, () => {
      const gate = 'publish' in given ? refused : undefined;
      const item = planItem({ action: 'update', jobId: 7, ...given });
      const outcomes = [outcomeOf(item, { result: 'updated', error: gate })];
      const end = { plan: { ...NO_PLAN, live, ...plan }, outcomes, invalid: 0, stopped: undefined, gate };
      assert.equal(applyExit(end), exit);
    });
});

/** Returns the reason for a stop after consecutive failures with this code. */
function reasonAfter(calls: number, code: ErrorCode): ErrorCode | undefined {
  const stop = new RunStop();
  for (let call = 0; call < calls; call++) stop.note(new PartnerError(code));
  return stop.reason?.code;
}

describe('a run', () => {
  for (const code of ['UNREACHABLE', 'TIMED_OUT', 'RATE_LIMITED', 'OUTCOME_UNKNOWN'] as const)
    it(`stops with exit 8 after 16 consecutive ${code} errors, but not after 15`, () => {
      assert.deepEqual([reasonAfter(15, code), reasonAfter(16, code)], [undefined, code]);
      assert.equal(new PartnerError(code).exit, 8);
    });

  it('continues if a request in between succeeds', () => {
    const stop = new RunStop();
    for (let call = 0; call < 100; call++)
      stop.note(call % 10 === 0 ? undefined : new PartnerError('RATE_LIMITED'));
    assert.equal(stop.reason, undefined);
  });
});
