import assert from 'node:assert/strict';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fixture } from '../fixture.ts';
import faults from './bad-input.json' with { type: 'json' };
import { withEngine } from './homes.ts';
import { type Finding, foundBy, refusedBy, textAt } from './refusal.ts';

describe('a listing that the contract does not allow', () => {
  const home = fixture('all tests', withEngine);

  for (const { fault, changes, field, says: pattern, at } of faults) {
    const says = new RegExp(pattern);
    it(`is refused by validate and create for ${fault}, at its place: nothing is stored`, async () => {
      const file = await home.file('listing.json', { ...COMPLETE_LISTING, ...changes });
      const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
      const found = findings.find((finding) => finding.field === field) as Finding;
      assert.match(`${found.message}; ${found.hint}`, says);
      assert.equal(error.code, 'VALIDATION_FAILED');
      assert.match(error.fields?.[field] ?? '', says);
      assert.ok(error.fields?.[field]?.includes(`(line ${found.line}, column ${found.column})`));
      assert.match(await textAt(file, found), new RegExp(at));
    });
  }

  it('is refused for a whole number past 2^53, shown as it was written: nothing is stored', async () => {
    const written = JSON.stringify({ ...COMPLETE_LISTING, salaryMax: 0 });
    const file = await home.file(
      'big.json',
      written.replace('"salaryMax":0', '"salaryMax":9007199254740993'),
    );
    const [[finding], error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    assert.match(finding?.message ?? '', /^9007199254740993 can't be stored exactly/);
    assert.match(error.fields?.salaryMax ?? '', /^9007199254740993 .*\(line \d+, column \d+\)/);
  });

  it('is refused with all its faults at once', async () => {
    const changes = { titel: 'Nurse', jobType: 'FULLTIME', salaryMin: 'x', budgets: [{ window: 'DAILY' }] };
    const file = await home.file('all.json', { ...COMPLETE_LISTING, ...changes });
    const [findings, error] = await Promise.all([foundBy(home, file), refusedBy(home, file)]);
    const fields = ['budgets[0].budgetCents', 'jobType', 'salaryMin', 'titel'];
    assert.deepEqual(findings.map(({ field }) => field).sort(), fields);
    assert.deepEqual(Object.keys(error.fields ?? {}).sort(), fields);
  });

  it('is none where a place with the right id is spelled otherwise: it is stored as it is called', async () => {
    const place = { locationId: 3448439, city: 'Sao Paulo', stateProvince: 'SAO PAULO', country: 'brazil' };
    const taken = await home.copy();
    const file = await taken.file('place.json', { ...COMPLETE_LISTING, locations: [place] });
    await taken.must(['jobs', 'validate', file]);
    const { locations } = await taken.must<{ locations: { city: string }[] }>(['jobs', 'create', file]);
    assert.equal(locations[0]?.city, 'São Paulo');
  });
});
