import assert from 'node:assert/strict';
import { normalise } from '../../src/places/place-names.ts';
import { COUNTRIES, REGION_ALIASES } from '../../src/places/regions.ts';

describe('The countries', () => {
  const all = COUNTRIES;

  it('are each there once, by two letters, by three and by a name', () => {
    assert.equal(all.length, 250);
    for (const field of ['code', 'alpha3', 'name'] as const)
      assert.equal(new Set(all.map((country) => normalise(country[field]))).size, all.length, field);
    for (const { code, alpha3 } of all) assert.match(`${code} ${alpha3}`, /^[A-Z]{2} [A-Z]{3}$/);
  });
});

describe('The regions', () => {
  it('belong to countries that there are', () => {
    const codes = COUNTRIES.map(({ code }) => code);
    const unknown = Object.keys(REGION_ALIASES).filter((code) => !codes.includes(code));
    assert.deepEqual(unknown, []);
  });
});
