import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { digestFields, mergeListing } from '../../src/import/merge.ts';
import { IMPORTED_FIELDS } from '../../src/import/source-posting.ts';
import { placeAmong } from '../../src/places/decide/locations.ts';
import { fewPlaces } from '../listings/places.ts';

type State = 'same' | 'edited' | 'changed' | 'conflict';

const CASES = readFileSync(new URL('merge.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [base: string, file: string, source: string, state: State, why: string]);

function placeOf(text: string): number | undefined {
  const choice = placeAmong(text, fewPlaces);
  return 'clear' in choice ? choice.clear.locationId : undefined;
}

const digests = (listing: object) => digestFields({ ...listing }, placeOf);

/** Merges one field. */
function merged(field: string, base: unknown, file: unknown, source: unknown) {
  const of = (value: unknown) => digests(value === undefined ? {} : { [field]: value });
  const sides = { base: base === '?' ? undefined : of(base), file: of(file), source: of(source) };
  const merge = mergeListing(sides);
  const named = { changed: merge.changed, edited: merge.edited, conflict: merge.conflicts };
  const [state = 'same'] = Object.entries(named).flatMap(([name, fields]) =>
    fields.length > 0 ? [name] : [],
  );
  return { state, merge, sides };
}

describe('a repeated import of a posting', () => {
  const KINDS: readonly (readonly [field: string, values: readonly unknown[]])[] = [
    ['salaryMin', [50_000, 60_000, 70_000]],
    ['title', ['Nurse', 'Night nurse', 'Head nurse']],
    ['locations', [[4671654], [2655138], ['Nowhere at all']]],
    [
      'qualifications',
      ['DESIRED', 'REQUIRED', 'NEITHER'].map((kind) => [{ text: 'A license', kind, order: 1 }]),
    ],
  ];

  for (const [base, file, source, state, why] of CASES)
    it(`is ${state} if ${why}`, () => {
      for (const [field, values] of KINDS) {
        const value = (sign: string) => (sign === '?' ? '?' : values[Number(sign) - 1]);
        const once = merged(field, value(base), value(file), value(source));
        assert.equal(once.state, state, field);
        // Merges again. Changed values are in the file now, and a conflict remains until it's resolved.
        const isTaken = state === 'changed';
        const after = {
          base: once.merge.base,
          file: isTaken ? once.sides.source : once.sides.file,
          source: once.sides.source,
        };
        const again = mergeListing(after);
        const actual = [again.changed, again.edited.length, again.conflicts.length];
        assert.deepEqual(actual, [[], Number(state === 'edited'), Number(state === 'conflict')]);
        assert.deepEqual(again.base, once.merge.base, 'it remembers the same');
        const { base: kept } = mergeListing(after, true);
        assert.deepEqual(mergeListing({ ...after, base: kept }).conflicts, []);
      }
    });

  it('compares places by ID and texts without line endings', () => {
    const austin = { locationId: 4671654, city: 'Austin', stateProvince: 'Texas', country: 'United States' };
    for (const [field, one, other] of [
      ['locations', [austin], ['Austin, TX']],
      ['locations', ['4671654'], [{ country: 'X', locationId: 4671654 }]],
      ['description', 'one\r\ntwo\n', 'one\ntwo'],
      ['salaryMin', null, undefined],
      ['questions', [], undefined],
      ['questions', [{ prompt: 'a', order: 1 }], [{ order: 1, options: [], prompt: 'a' }]],
    ] as const)
      assert.equal(merged(field, undefined, one, other).state, 'same', `${field}: ${JSON.stringify(one)}`);
    for (const [one, other] of [
      [['Austin, TX'], ['Springfield, IL']],
      [[austin, 'Springfield, IL'], [austin]],
    ])
      assert.equal(merged('locations', one, one, other).state, 'changed');
  });

  it('keeps fields that an import never sets, and unknown fields', () => {
    const own = {
      bidPerQualifiedApplicantCents: 1500,
      budgets: [{ window: 'DAILY', budgetCents: 1 }],
      publish: true,
    };
    assert.deepEqual(digests(own), {});
    assert.ok(!IMPORTED_FIELDS.some((field) => field in own));
  });
});
