import assert from 'node:assert/strict';
import type { Plan } from '../../../src/bulk/plan/plan-item.ts';
import { planDifferences } from '../../../src/bulk/plan/saved-plan.ts';
import { type Given, givenOf, job, planned, type Written } from './given.ts';
import cases from './saved-plan.json' with { type: 'json' };

const GIVEN = givenOf(cases.given as unknown as Written);
const NURSE = { title: 'Nurse', description: 'Care' };

/** A plan as `--out` saves it and `--plan` reads it. */
const saved = (given: Given): Plan => JSON.parse(JSON.stringify(planned(given).plan));

describe('a saved plan', () => {
  it('is the same while files, state and server are', () => {
    assert.deepEqual(planDifferences(saved(GIVEN), planned(GIVEN).plan), []);
  });

  it('is the same whatever the order of its keys', () => {
    const plan = saved(GIVEN);
    const items = plan.items.map((item) => Object.fromEntries(Object.entries(item).reverse()));
    assert.deepEqual(planDifferences({ ...plan, items } as unknown as Plan, planned(GIVEN).plan), []);
  });

  for (const { what, now, differences } of cases.moved) {
    it(`is refused after ${what}`, () => {
      const moved = givenOf({ ...cases.given, ...now } as unknown as Written);
      assert.deepEqual(
        planDifferences(saved(GIVEN), planned(moved).plan),
        differences.map((line) => line.split(': ')),
      );
    });
  }

  it('is refused after an edit that changes only what an item starts from', () => {
    const held = { ...GIVEN, server: [job(1, { ...NURSE, title: 'x' })] };
    const now = { ...GIVEN, server: [job(1, { ...NURSE, title: 'y' })] };
    const differences = ['a.json: has changed on the server'];
    assert.deepEqual(
      planDifferences(saved(held), planned(now).plan),
      differences.map((line) => line.split(': ')),
    );
  });
});
