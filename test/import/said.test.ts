import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { htmlReader } from '../../src/import/facts/html-text.ts';
import { importPosting } from '../../src/import/facts/imported-posting.ts';
import { readLabels } from '../../src/import/facts/labels.ts';
import { mergePostings } from '../../src/import/facts/same-posting.ts';
import { detectSystem } from '../../src/import/sources.ts';
import { readPostings } from '../../src/import/system.ts';
import { findMeaning } from '../../src/places/decide/find-meaning.ts';
import { openPlaces } from '../../src/places/index/open.ts';
import { PLACES_PATH } from '../http/subject.ts';
import { documentOf, textOf } from './feed-documents.ts';

const FILES = readdirSync(new URL('../fixtures/import/said/', import.meta.url)).sort();
const UNTOLD = ['title', 'description', 'atsJobUrl', 'bidPerQualifiedApplicantCents'];

/** Columns: file, posting, field, certainty, value and source, or the note. */
const EXPECTED = readFileSync(new URL('./said.expected.tsv', import.meta.url), 'utf8');

describe('an import matches the source', () => {
  const toText = htmlReader();
  const places = openPlaces(PLACES_PATH);
  after(() => places.close());

  for (const file of FILES)
    it(`and marks guessed, omitted and missing values: ${file}`, async () => {
      const document = await documentOf(file, textOf(`said/${file}`));
      const system = await detectSystem(document);
      ok(system, file);
      const reading = { findMeaning: (text: string) => findMeaning(text, places), toText: await toText };
      const lines = mergePostings(readPostings(system, document).postings).flatMap((posting) => {
        const { id, values, notes } = importPosting(posting, reading);
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

  it('and reads labels in linear time', () => {
    for (const part of ['- ', 'Location: ', 'Location:\n', '|', ' - : ', 'Location: a · ', '\ue001', '*_`'])
      ok(readLabels(part.repeat(500_000)));
  });
});
