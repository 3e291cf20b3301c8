import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { openPlaces } from '../../../src/engine/places/open.ts';
import { detectSystem } from '../../../src/listings/import/detect.ts';
import { htmlReader } from '../../../src/listings/import/facts/html-text.ts';
import { importedPosting } from '../../../src/listings/import/facts/imported-posting.ts';
import { labelledFields } from '../../../src/listings/import/facts/labels.ts';
import { mergedPostings } from '../../../src/listings/import/facts/same-posting.ts';
import { readPostings } from '../../../src/listings/import/system.ts';
import { meaningOf } from '../../../src/listings/places/meaning-of.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { documentOf, textOf } from './feed-documents.ts';

const FILES = readdirSync(new URL('../../fixtures/import/said/', import.meta.url)).sort();
const UNTOLD = ['title', 'description', 'atsJobUrl', 'bidPerQualifiedApplicantCents'];

/** Columns: file, posting, field, how it is known, the value and where it is from, or the note. */
const EXPECTED = readFileSync(new URL('./said.expected.tsv', import.meta.url), 'utf8');

describe('an import says what the source says', () => {
  const toText = htmlReader();
  const places = openPlaces(PLACES_PATH);
  after(() => places.close());

  for (const file of FILES) {
    it(`and marks what it guesses, leaves out and leaves to the user: ${file}`, async () => {
      const document = await documentOf(file, textOf(`said/${file}`));
      const system = await detectSystem(document);
      ok(system, file);
      const reading = { meaningOf: (text: string) => meaningOf(text, places), toText: await toText };
      const lines = mergedPostings(readPostings(system, document).postings).flatMap((posting) => {
        const { id, values, notes } = importedPosting(posting, reading);
        const said = Object.entries(values).map(([field, { value, sure, from, note = '' }]) => [
          ...[field, sure, JSON.stringify(value), sure === 'taken' ? '' : from, note],
        ]);
        said.push(...notes.map(({ field, kind, text }) => [field, kind, text]));
        return said
          .filter(([field = '']) => !UNTOLD.includes(field))
          .map((line) => [file, id, ...line].join('\t').trimEnd());
      });
      deepEqual(
        lines,
        EXPECTED.split('\n').filter((line) => line.startsWith(`${file}\t`)),
      );
    });
  }

  it('reads the labels of any text in one pass', () => {
    for (const part of ['- ', 'Location: ', 'Location:\n', '|', ' - : ', 'Location: a · ', '\ue001', '*_`'])
      ok(labelledFields(part.repeat(500_000)));
  });
});
