import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from '../../../src/bulk/plan/plan-item.ts';
import { planDifferences, planToApply, savePlan } from '../../../src/bulk/plan/saved-plan.ts';
import type { BulkRequest } from '../../../src/bulk/session.ts';
import { type Given, givenOf, job, planned, type Written } from './given.ts';
import cases from './saved-plan.json' with { type: 'json' };

const GIVEN = givenOf(cases.given as unknown as Written);
const NURSE = { title: 'Nurse', description: 'Care' };

const saved = (given: Given): Plan => JSON.parse(JSON.stringify(planned(given).plan));

describe('a saved plan', () => {
  it('is accepted if files, state and server are unchanged', () =>
    assert.deepEqual(planDifferences(saved(GIVEN), planned(GIVEN).plan), []));

  it('is accepted with another order of keys', () => {
    const plan = saved(GIVEN);
    const items = plan.items.map((item) => Object.fromEntries(Object.entries(item).reverse()));
    assert.deepEqual(planDifferences({ ...plan, items } as unknown as Plan, planned(GIVEN).plan), []);
  });

  for (const { what, now, differences } of cases.moved)
    it(`is refused after ${what}`, () => {
      const moved = givenOf({ ...cases.given, ...now } as unknown as Written);
      assert.deepEqual(
        planDifferences(saved(GIVEN), planned(moved).plan),
        differences.map((line) => line.split(': ')),
      );
    });

  it('is refused after an edit on the server that changes only the old value', () => {
    const held = { ...GIVEN, server: [job(1, { ...NURSE, title: 'x' })] };
    const now = { ...GIVEN, server: [job(1, { ...NURSE, title: 'y' })] };
    const differences = ['a.json: changed on the server'];
    assert.deepEqual(
      planDifferences(saved(held), planned(now).plan),
      differences.map((line) => line.split(': ')),
    );
  });

  for (const state of ['ann:s3cr:s3cr@127.0.0.1/x', 'ann@127.0.0.1/x?password=s3cr%40t', 'ann@127.0.0.1/x'])
    it(`stores the URL postgres://${state} without its password`, () => {
      const file = join(mkdtempSync(join(tmpdir(), 'partner-plan-')), 'plan.json');
      const request = { paths: ['jobs'], stateFile: `postgres://${state}` } as unknown as BulkRequest;
      savePlan(file, saved(GIVEN), request, 'https://api.example.com/v1', 0);
      assert.doesNotMatch(readFileSync(file, 'utf8'), /s3cr/);
      assert.match(planToApply(file, []).request.stateFile ?? '', /^postgres:\/\/ann@127\.0\.0\.1\/x/);
    });
});
