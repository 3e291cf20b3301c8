import { deepEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { checkJobInput } from '../../../src/contract/check.ts';
import { completenessGaps } from '../../../src/contract/gate.ts';
import { EMPTY_CONTENT } from '../../../src/contract/job.ts';
import { htmlReader } from '../../../src/import/facts/html-text.ts';
import { importPosting } from '../../../src/import/facts/imported-posting.ts';
import type { ImportedPosting, SourcePosting } from '../../../src/import/source-posting.ts';
import type { PlaceMeaning } from '../../../src/places/decide/place-meaning.ts';
import { anyText } from '../../any-text.ts';
import { times } from '../../times.ts';

const toText = await htmlReader();

describe('the facts of a posting', () => {
  it('have valid values for a job, but never pass the publish gate, for any posting', () =>
    fc.assert(
      fc.property(postings, fc.func(meanings), (posting, findMeaning) => {
        const read = importPosting(posting, { findMeaning, toText });
        const input = jobInput(read);
        const checked = checkJobInput(input);
        deepEqual(checked.ok ? [] : checked.problems, []);
        const gaps = completenessGaps({ ...EMPTY_CONTENT, ...input });
        const told = new Set(read.notes.filter(({ kind }) => kind === 'missing').map(({ field }) => field));
        for (const { path } of gaps)
          ok(told.has(path[0] as never) || /^salary/.test(String(path[0])), String(path[0]));
        ok(gaps.some(({ path }) => path[0] === 'bidPerQualifiedApplicantCents'));
        ok(read.notes.every(({ text }) => !/\p{Cc}|\p{Surrogate}/u.test(text)));
      }),
      { numRuns: times(80, 5_000) },
    ));

  it('report a missing place if a label makes a remote posting hybrid', () => {
    const workplace = { value: 'remote', from: 'workplace', isOwnField: false };
    const text = { heading: '', text: 'Work model: hybrid', isHtml: false };
    const description = { value: [text], from: 'description', isOwnField: true };
    const posting: SourcePosting = { id: '1', fields: { workplace, description } };
    const { values, notes } = importPosting(posting, { findMeaning: () => ({ kind: 'unknown' }), toText });
    deepEqual(values.remoteOption?.value, 'HYBRID');
    ok(notes.some(({ field, kind }) => field === 'locations' && kind === 'missing'));
  });
});

const LOCATION = { locationId: 7, city: 'Austin', stateProvince: 'Texas', country: 'United States' };
const PLACE = { ...LOCATION, displayName: 'Austin, Texas, United States', countryCode: 'US', population: 1 };

function jobInput({ values }: ImportedPosting) {
  const given = Object.entries(values).map(([name, { value }]) => [name, value]);
  const { locations, ...rest } = Object.fromEntries(given);
  return { ...rest, ...(locations && { locations: locations.map(() => LOCATION) }) };
}

/** Parts of real postings, which reach more code than random text. */
const SNIPPETS = [
  ...'Senior|Intern| II|(Remote)|Full-time|CDI|contract|$|£|100,000|18.50| - |k| a year|/hr| OTE|base '.split(
    '|',
  ),
  ...'<li>|</li>|<ul>|<p>|<script>|&lt;p&gt;|&nbsp;|<!--|\n|- |Requirements:\n|Benefits\n|First Name'.split(
    '|',
  ),
  ...'Lebenslauf|gender|\0|\ud800|\u200b|\u202e|\u2028|https://|jobs.example.com|?utm_source=x'.split('|'),
  ...' |%|Austin, TX|US|5 years'.split('|'),
  'x'.repeat(2_001),
];
const text = fc.oneof(
  anyText(),
  fc.array(fc.constantFrom(...SNIPPETS), { maxLength: 12 }).map((parts) => parts.join('')),
);
const texts = fc.array(text, { maxLength: 8 });
const amount = fc.oneof(fc.double(), fc.integer({ min: -5, max: 300_000 }));
const of = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ value, from: fc.constant('field'), isOwnField: fc.boolean() });
const part = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));

const question = fc.record({
  prompt: text,
  type: fc.oneof(text, fc.constantFrom('input_text', 'boolean', 'multi_value_multi_select', 'input_file')),
  options: fc.oneof(texts, fc.array(text, { minLength: 201, maxLength: 205 })),
  isReserved: fc.boolean(),
});

const sourceText = fc.record({ heading: text, text, isHtml: fc.boolean() });

const postings = fc.record({
  id: text,
  fields: fc.record(
    {
      title: of(text),
      description: of(fc.array(sourceText, { maxLength: 3 })),
      workplace: of(fc.oneof(text, fc.constantFrom('remote', 'Hybrid', 'on_site'))),
      remoteCountries: of(texts),
      places: of(
        fc.array(fc.record(part(['text', 'city', 'region', 'country']), { requiredKeys: [] }), {
          maxLength: 60,
        }),
      ),
      jobType: of(texts),
      jobLevel: of(text),
      salaries: of(
        fc.array(
          fc.record(
            { min: amount, max: amount, ...part(['currency', 'period', 'label', 'text']) },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
      ),
      qualifications: of(fc.array(text, { maxLength: 70 })),
      questions: of(fc.array(question, { maxLength: 70 })),
      opportunityId: of(text),
      atsJobUrl: of(text),
    },
    { requiredKeys: [] },
  ),
}) as fc.Arbitrary<SourcePosting>;

const meanings: fc.Arbitrary<PlaceMeaning> = fc.oneof(
  fc.constant<PlaceMeaning>({ kind: 'place', place: PLACE, sure: 'likely' }),
  fc.constantFrom<PlaceMeaning>(
    { kind: 'unknown' },
    { kind: 'unnamed' },
    { kind: 'continent', name: 'Europe' },
    { kind: 'country', country: 'Germany' },
    { kind: 'region', region: 'Texas', country: 'United States' },
    { kind: 'remote', countries: ['United States', 'Canada'] },
    { kind: 'ambiguous', candidates: [PLACE, PLACE, PLACE, PLACE] },
  ),
);
