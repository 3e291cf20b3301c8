import assert from 'node:assert/strict';
import type { Plan } from '../../../src/bulk/plan/plan-item.ts';
import { planDifferences } from '../../../src/bulk/plan/saved-plan.ts';
import { applied, type Given, job, planned } from './given.ts';

const NURSE = { title: 'Nurse', description: 'Care' };
const COOK = { title: 'Cook' };

const GIVEN: Given = {
  files: { 'a.json': { ...NURSE, title: 'Senior nurse' }, 'b.json': COOK },
  state: { 'a.json': applied(1, NURSE) },
  server: [job(1, NURSE)],
};

/** A plan as `--out` saves it and `--plan` reads it. */
const saved = (given: Given): Plan => JSON.parse(JSON.stringify(planned(given).plan));

const MOVED: readonly (readonly [what: string, now: Given, differences: readonly string[]])[] = [
  [
    'a field edited on the server that the file changes',
    { ...GIVEN, server: [job(1, { ...NURSE, title: 'x' })] },
    ['a.json: was to be `update`, and now `held`'],
  ],
  [
    'a file changed',
    { ...GIVEN, files: { ...GIVEN.files, 'b.json': { title: 'Baker' } } },
    ['b.json: has changed in its file'],
  ],
  [
    'a file taken away',
    { ...GIVEN, files: { 'a.json': { ...NURSE, title: 'Senior nurse' } } },
    ['b.json: needs nothing any more'],
  ],
  [
    'a state that was applied elsewhere',
    {
      ...GIVEN,
      state: { ...GIVEN.state, 'b.json': applied(2, COOK) },
      server: [job(1, NURSE), job(2, COOK)],
    },
    ['b.json: needs nothing any more'],
  ],
  [
    'a listing that is to go live',
    { ...GIVEN, files: { ...GIVEN.files, 'b.json': { ...COOK, publish: true } } },
    ['b.json: now goes live too'],
  ],
  [
    'another patch to the same end',
    {
      ...GIVEN,
      files: { ...GIVEN.files, 'a.json': { title: 'Senior nurse', description: 'Care' } },
      state: { 'a.json': applied(1, { ...NURSE, description: 'x' }) },
      server: [job(1, { ...NURSE, description: 'x' })],
    },
    ['a.json: has other changes now (title, description)'],
  ],
];

describe('a saved plan', () => {
  it('is the same while files, state and server are', () => {
    assert.deepEqual(planDifferences(saved(GIVEN), planned(GIVEN).plan), []);
  });

  it('is the same whatever the order of its keys', () => {
    const plan = saved(GIVEN);
    const items = plan.items.map((item) => Object.fromEntries(Object.entries(item).reverse()));
    assert.deepEqual(planDifferences({ ...plan, items } as unknown as Plan, planned(GIVEN).plan), []);
  });

  for (const [what, now, differences] of MOVED) {
    it(`is refused after ${what}`, () => {
      assert.deepEqual(
        planDifferences(saved(GIVEN), planned(now).plan),
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
