import type { ImportItem } from '../../../src/import/plan-import.ts';
import type { ImportedPosting } from '../../../src/import/source-posting.ts';

const taken = <T>(value: T) => ({ value, sure: 'taken' as const, from: 'title' });

const POSTING: ImportedPosting = {
  id: '1',
  values: { title: taken('Nurse'), jobLevel: { value: 'SENIOR', sure: 'guessed', from: 'the title' } },
  notes: [],
};

function item(more: Partial<ImportItem>): ImportItem {
  return {
    key: 'greenhouse:1',
    source: 'greenhouse:clinic',
    file: 'nurse.yaml',
    status: 'unchanged',
    posting: POSTING,
    left: ['jobType', 'salaryMin', 'salaryMax', 'bidPerQualifiedApplicantCents', 'qualifications'],
    changed: [],
    conflicts: [],
    isEdited: false,
    ...more,
  };
}

/** One item per status, with strings that may trick a terminal. */
export const IMPORT_ITEMS: readonly ImportItem[] = [
  item({ status: 'new', file: 'senior-registered-nurse-intensive-care-unit-nights-and-weekends.yaml' }),
  item({ status: 'changed', changed: ['title'], left: [] }),
  item({
    status: 'conflict',
    conflicts: [
      { field: 'title', file: 'Night nurse', source: 'Head nurse' },
      { field: 'qualifications', file: [{ text: '看護師免許', kind: 'REQUIRED', order: 1 }], source: null },
      { field: 'locations', file: ['Austin, TX', 4671654], source: [{ locationId: 1, city: 'Bonn' }] },
      { field: 'salaryMin', file: 'many', source: 60_000 },
    ],
  }),
  item({ status: 'gone', file: 'cook.md', left: [] }),
  item({ status: 'unreadable', problem: 'line 3: \x9b31mwrong\u200b \x1b]0;owned\x07\u202eevil\u2066' }),
];
