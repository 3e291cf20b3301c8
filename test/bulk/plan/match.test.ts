import assert from 'node:assert/strict';
import { type DesiredListing, listingKey } from '../../../src/bulk/plan/desired-listing.ts';
import { matchListings, rekeyEntries } from '../../../src/bulk/plan/match.ts';
import type { StateEntry } from '../../../src/bulk/state/state.ts';
import { assertLinear } from '../../cpu.ts';
import { times } from '../../times.ts';
import { applied, listingsOf } from './given.ts';

const LISTINGS = times(10_000, 50_000);

/** Listings of one large file. Each has different content, and every second one an opening. */
function manyWanted(count: number, first = 0): DesiredListing[] {
  return Array.from({ length: count }, (_, index) => ({
    key: listingKey('all.ndjson', index),
    path: 'all.ndjson',
    file: 'all.ndjson',
    json: new Uint8Array(),
    digests: {},
    line: index + 1,
    digest: `digest-${first + index}`,
    opportunityId: index % 2 === 0 ? `N-${first + index}` : undefined,
    publish: false,
  }));
}

describe('the matching of listings', () => {
  it(`handles ${LISTINGS} listings that all changed and moved by one row, in linear time`, () =>
    assertLinear(LISTINGS, (count) => {
      const entries = new Map<string, StateEntry>();
      for (const { key, line, opportunityId } of manyWanted(count, -1))
        entries.set(key, { job: line, opportunityId, applied: {} });
      const { matches, orphans } = matchListings(manyWanted(count), entries, () => 'read');
      const jobs = new Set(matches.flatMap(({ entry }) => entry?.job ?? []));
      assert.equal(jobs.size + orphans.length, count);
    }));

  it('matches a changed row by its opening if another row moved to its position', () => {
    const wanted = listingsOf({
      'x.ndjson': [
        { title: 'new', opportunityId: 'B' },
        { title: 'a', opportunityId: 'A' },
      ],
    });
    const entries = new Map([
      ['x.ndjson', applied(1, { title: 'a', opportunityId: 'A' })],
      ['x.ndjson#1', applied(2, { title: 'b', opportunityId: 'B' })],
    ]);
    const { matches, orphans } = matchListings(wanted, entries, () => 'read');
    const jobs = matches.map(({ entry }) => entry?.job);
    assert.deepEqual(jobs, [2, 1]);
    assert.deepEqual(orphans, []);
  });
});

describe('the state entries after matching', () => {
  it('get the new keys of swapped listings without losing an entry', () => {
    const [a, b, c] = [1, 2, 3].map((job) => applied(job, { title: `${job}` })) as [
      StateEntry,
      StateEntry,
      StateEntry,
    ];
    const wanted = listingsOf({ 'x.json': [{ title: '3' }, { title: '2' }] });
    const entries = new Map([
      ['x.json', a],
      ['x.json#1', b],
      ['x.json#2', c],
      ['y.json', applied(4, {})],
    ]);
    const after = rekeyEntries(matchListings(wanted, entries, () => 'read'));
    assert.deepEqual(Object.fromEntries(after), {
      'x.json': c,
      'x.json#1': b,
      'x.json#unlisted-1': { ...a, gone: true },
      'y.json': { ...applied(4, {}), gone: true },
    });
  });

  it('keep the last applied opening, but use the current key of their listing', () => {
    const [a, b] = listingsOf({ 'a.json': { opportunityId: 'B' }, 'b.json': { title: 'x' } });
    const wanted = [{ ...a, name: 'nurse' }, b] as DesiredListing[];
    const entries = new Map([
      ['a.json', applied(1, { opportunityId: 'A' })],
      ['b.json', applied(2, { opportunityId: 'C' })],
    ]);
    const after = rekeyEntries(matchListings(wanted, entries, () => 'read'));
    assert.deepEqual(
      [...after.values()].map(({ opportunityId, key }) => [opportunityId, key]),
      [
        ['A', 'nurse'],
        ['C', undefined],
      ],
    );
    assert.deepEqual(after.get('a.json')?.applied, entries.get('a.json')?.applied);
  });
});
