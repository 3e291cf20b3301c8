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

/** Merges postings. Returns ID and places of each listing. */
function merged(...postings: SourcePosting[]): string[] {
  return mergePostings(postings).map(({ id, fields }) => {
    return `${id}: ${fields.places?.value.map(({ city }) => city).join(', ')}`;
  });
}

describe('a posting that a feed repeats for each place', () => {
  const [reno, boise] = [posting('7', 'Reno'), posting('7', 'Boise')];

  it('is merged into one listing by its ID', () =>
    deepEqual(merged(reno, boise, posting('7', 'Reno')), ['7: Reno, Boise']));

  it('is merged by its opening if only the place differs, in any order', () => {
    const other = posting('9', 'Boise');
    deepEqual(merged(posting('8', 'Reno'), other), ['8: Reno, Boise']);
    deepEqual(merged(other, posting('8', 'Reno')), ['8: Boise, Reno']);
  });

  it('is not merged if another field differs or too much is missing', () => {
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

  it('keeps two different jobs with the same ID', () => {
    const other = posting('7', 'Elko', { title: 'Cook' });
    deepEqual(merged(reno, other, boise), ['7: Reno, Boise', '7-2: Elko']);
  });
});
