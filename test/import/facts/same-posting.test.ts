import { deepEqual } from 'node:assert/strict';
import { mergePostings } from '../../../src/import/facts/same-posting.ts';
import type { SourceFields, SourcePosting } from '../../../src/import/source-posting.ts';

const DRIVER: Partial<SourceFields> = {
  title: 'Driver',
  opportunityId: 'R-1',
  description: [{ text: 'Drive a van.', isHtml: false }],
};

function posting(id: string, city: string, fields: Partial<SourceFields> = {}): SourcePosting {
  const given = { ...DRIVER, places: [{ city }], atsJobUrl: `https://jobs.example/${id}`, ...fields };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  const values = known.map(([name, value]) => [name, { value, from: name, isOwnField: true }]);
  return { id, fields: Object.fromEntries(values) };
}

/** Each listing as its id and its places. */
function merged(...postings: SourcePosting[]): string[] {
  return mergePostings(postings).map(({ id, fields }) => {
    return `${id}: ${fields.places?.value.map(({ city }) => city).join(', ')}`;
  });
}

describe('a posting that comes once a location', () => {
  const [reno, boise] = [posting('7', 'Reno'), posting('7', 'Boise')];

  it('is one listing with several places, by its id', () =>
    deepEqual(merged(reno, boise, posting('7', 'Reno')), ['7: Reno, Boise']));

  it('is one listing by its opening where all but the place is the same, whatever the order', () => {
    const other = posting('9', 'Boise');
    deepEqual(merged(posting('8', 'Reno'), other), ['8: Reno, Boise']);
    deepEqual(merged(other, posting('8', 'Reno')), ['8: Boise, Reno']);
  });

  it('stays apart where anything tells another job, or too little is said', () => {
    const others: Partial<SourceFields>[] = [
      { title: 'Driver, nights' },
      { opportunityId: 'R-2' },
      { description: [{ text: 'Drive a bus.', isHtml: false }] },
      { salaries: [{ text: '$25 an hour' }] },
      { jobType: ['PartTime'] },
    ];
    for (const fields of others)
      deepEqual(merged(posting('8', 'Reno'), posting('9', 'Boise', fields)).length, 2);
    const bare = { opportunityId: undefined } as unknown as Partial<SourceFields>;
    deepEqual(merged(posting('8', 'Reno', bare), posting('9', 'Boise', bare)).length, 2);
  });

  it('keeps each of two jobs that a feed gives the same id', () => {
    const other = posting('7', 'Elko', { title: 'Cook' });
    deepEqual(merged(reno, other, boise), ['7: Reno, Boise', '7-2: Elko']);
  });
});
