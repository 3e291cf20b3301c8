import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from '../../../src/bulk/plan/plan-item.ts';
import { planToApply, savePlan } from '../../../src/bulk/plan/saved-plan.ts';
import type { BulkRequest } from '../../../src/bulk/session.ts';

describe('a saved plan', () => {
  const plan = { items: [], notices: [], unchanged: 0, live: 0 } as Plan;
  const file = join(mkdtempSync(join(tmpdir(), 'partner-plan-')), 'plan.json');
  for (const state of ['ann:s3cr:s3cr@127.0.0.1/x', 'ann@127.0.0.1/x?password=s3cr%40t', 'ann@127.0.0.1/x']) {
    it(`keeps no password of the state postgres://${state}, and its address`, () => {
      const request = { paths: ['jobs'], stateFile: `postgres://${state}` } as unknown as BulkRequest;
      savePlan(file, plan, request, 'https://api.example.com/v1', 0);
      assert.doesNotMatch(readFileSync(file, 'utf8'), /s3cr/);
      assert.match(planToApply(file, []).request.stateFile ?? '', /^postgres:\/\/ann@127\.0\.0\.1\/x/);
    });
  }
});
