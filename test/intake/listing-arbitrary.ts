import fc from 'fast-check';
import { LIMITS } from '../../src/contract/limits.ts';
import type { Place } from '../../src/contract/places.ts';
import {
  ANSWER_FORMATS,
  BUDGET_WINDOWS,
  JOB_LEVELS,
  JOB_TYPES,
  QUALIFICATION_KINDS,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from '../../src/contract/values.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';

type Value = fc.Arbitrary<unknown>;

const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '\t\n',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\u2028',
    '\0',
    'a\0b',
    '\ud83d',
    '\ude00x',
    '😀',
    'e\u0301',
  ],
  ...['\u202eabc', '\u001b[31m', '<b>bold</b>', '&amp;', '__proto__', 'null', '0', 'ﬁ', 'İ', 'ß', '\uffff'],
];
const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(...ODD_TEXTS),
);
/** As long as a limit allows, and one character more or less; of one, two and three bytes in UTF-8. */
const aroundLimit = (characters: number) =>
  fc
    .tuple(fc.constantFrom(-1, 0, 0, 1), fc.constantFrom('x', 'é', '漢', '😀', ' '))
    .map(([more, unit]) => unit.repeat(characters + more).slice(0, characters + more));

const number: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
  fc.constantFrom(-1, -0, 0.5, 1e21, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) + 1, 2 ** 31, 1e15, 15.0000001, 1e-9),
);
const anything: Value = fc.oneof(
  text,
  number,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 1 }, [{}], ['x'], { 0: 'x' }),
  fc.jsonValue({ maxDepth: 6 }),
);
const name = fc.oneof(
  fc.constantFrom(
    'titel',
    'Title',
    'id',
    'status',
    'publish ',
    'companyId',
    'salary',
    'note',
    'text',
    'order',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
    '',
    '0',
    'a.b',
    '$schema',
    '\0',
  ),
  text,
);

const oneOf = (known: readonly string[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    fc
      .constantFrom(...known)
      .chain((value) =>
        fc.constantFrom(value.toLowerCase(), ` ${value}`, `${value}S`, value.replace('_', '-'), ''),
      ),
  );

const URIS = [
  ...[
    'https://ats.example/jobs/1',
    'http://[::1]:80/',
    'urn:job:1',
    'mailto:jobs@ats.example',
    'x-ats:',
    'X-ATS:4711',
  ],
  ...['https://ats.example/%C3%A9?a=b#c', 'javascript:alert(1)', 'data:,', 'file:///jobs', 'tag:a,2026:b'],
  ...[
    'a b',
    'https://ats.example/a b',
    ' urn:a',
    'urn:a ',
    'urn:%4',
    'https://',
    'https:x',
    '//ats.example',
    '/jobs',
  ],
  ...[
    'ats.example',
    '1:a',
    'https://ats.example/é',
    'https://[::1',
    'https://a:b',
    'https://a/#b#c',
    'urn:a\n',
  ],
];

const PROMPTS = [
  ...[
    'Email',
    'What is your email address?',
    'E-mail (work)',
    'Preferred first name',
    'Please upload your resume in PDF',
  ],
  ...[
    'What city and state do you live in?',
    'Ｅｍａｉｌ',
    'em\u00adail',
    'Phone #',
    'Where do you live?',
    'CV',
    'Résumé',
  ],
  ...[
    'Describe your email marketing experience',
    'Which cities have you managed teams in?',
    'State',
    'Number',
    'Why us?',
  ],
  ...[
    'Name three languages',
    'Do you have a valid phone sales licence?',
    'Which shift suits you?',
    'Years of practice',
  ],
];

const qualification = fc.record({
  text: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('Licence', 'Driver', 'é') },
    text,
    aroundLimit(LIMITS.textCharacters),
  ),
  kind: oneOf(QUALIFICATION_KINDS),
  order: fc.oneof({ weight: 4, arbitrary: fc.nat(50) }, number),
});
const question = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...(COMPLETE_LISTING.questions as unknown[])) },
  fc.record(
    {
      prompt: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PROMPTS) }, text),
      answerFormat: oneOf(ANSWER_FORMATS),
      options: fc.oneof(
        fc.uniqueArray(text, { maxLength: 3 }),
        fc.constantFrom<unknown>(
          [],
          ['a', 'a'],
          ['a', 'A'],
          ['a', 'a '],
          ['é', 'e\u0301'],
          null,
          'a',
          [1],
          [null],
        ),
        fc
          .constantFrom(LIMITS.questionOptions, LIMITS.questionOptions + 1)
          .map((length) => Array.from({ length }, (_, i) => `${i}`)),
      ),
      order: fc.oneof({ weight: 4, arbitrary: fc.nat(50) }, number),
    },
    { requiredKeys: ['prompt', 'answerFormat', 'order'] },
  ),
);
const budget = fc.record(
  {
    window: oneOf(BUDGET_WINDOWS),
    budgetCents: number,
    notes: fc.oneof(fc.constant(null), text, aroundLimit(LIMITS.textCharacters)),
  },
  { requiredKeys: ['window', 'budgetCents'] },
);

/** A list of its entries, now and then as long as a limit allows or one longer. */
const listOf = (entry: Value): Value =>
  fc.oneof(
    { weight: 10, arbitrary: fc.array(entry, { minLength: 1, maxLength: 3 }) },
    fc.constant([]),
    fc
      .tuple(entry, fc.constantFrom(LIMITS.arrayEntries, LIMITS.arrayEntries + 1))
      .map(([value, length]) => Array.from({ length }, () => value)),
  );

const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
  (name) => name.replace(/ß/g, 'ss').replace(/[äöü]/g, (letter) => `${letter.normalize('NFD')[0]}e`),
  (name) => ` ${name}\t`,
  (name) => name.replace(/ /g, '  '),
  (name) => name.replace(/[-' .,]/g, ''),
  (name) => name.replace(/Saint/g, 'St.').replace(/St\. /g, 'Saint '),
  (name) => [...name].join('\u00ad'),
  (name) => name.slice(0, -1),
  (name) => `${name} City`,
];
const OTHER_NAMES = [
  '',
  'USA',
  'US',
  'Brasil',
  'Deutschland',
  'Munich',
  'München',
  'SP',
  'Austin',
  'Texas',
  'France',
  '\0',
];

/** The places as a listing may give them: spelled in many ways, by another place's name, by text, by a wrong id. */
function locationOf(places: readonly Place[]): Value {
  const spelled = (name: string) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...SPELLINGS.slice(0, 10)).map((spell) => spell(name)) },
      fc.constantFrom(...SPELLINGS).map((spell) => spell(name)),
      fc.constantFrom(...OTHER_NAMES),
    );
  const asObject = fc.constantFrom(...places).chain(({ locationId, city, stateProvince, country }) =>
    fc.record({
      locationId: fc.oneof(
        { weight: 20, arbitrary: fc.constant<unknown>(locationId) },
        fc.constantFrom<unknown>(
          1,
          0,
          -1,
          locationId + 0.5,
          String(locationId),
          2 ** 53 - 1,
          2 ** 32 + locationId,
        ),
      ),
      city: spelled(city),
      stateProvince: spelled(stateProvince),
      country: spelled(country),
    }),
  );
  const asText = fc
    .constantFrom(...places)
    .chain(({ city, displayName, locationId }) =>
      fc.constantFrom(city, displayName, `${locationId}`, ` ${city}?`, ''),
    );
  return fc.oneof({ weight: 12, arbitrary: asObject }, asText, anything);
}

/** A listing with all that live ones need, of values that pass. */
function completeListing(places: readonly Place[]) {
  return fc.record(
    {
      title: fc.constantFrom('Welder', 'Soudeur·se', '溶接工'),
      description: fc.constantFrom('Weld.', 'a\n\nb'),
      remoteOption: fc.constantFrom(...REMOTE_OPTIONS),
      remoteCountry: fc.constantFrom('Canada', 'United States'),
      jobType: fc.constantFrom(...JOB_TYPES),
      jobLevel: fc.constantFrom(...JOB_LEVELS),
      locations: fc.constantFrom(...places).chain((place) =>
        fc.constantFrom(...SPELLINGS.slice(0, 5)).map((spell) => {
          const { locationId, city, stateProvince, country } = place;
          return [
            { locationId, city: spell(city), stateProvince: spell(stateProvince), country: spell(country) },
          ];
        }),
      ),
      salaryMin: fc.constantFrom(0, 20),
      salaryMax: fc.constantFrom(20, 40),
      salaryPeriod: fc.constantFrom(...SALARY_PERIODS),
      bidPerQualifiedApplicantCents: fc.constantFrom(1, 1500),
      opportunityId: fc.constantFrom(null, 'REQ-1'),
      atsJobUrl: fc.constantFrom(null, 'https://ats.example/1', 'urn:job:1'),
      qualifications: fc.constant(COMPLETE_LISTING.qualifications),
      questions: fc.constantFrom([], COMPLETE_LISTING.questions),
      budgets: fc.constantFrom([], COMPLETE_LISTING.budgets),
      publish: fc.boolean(),
    },
    { requiredKeys: Object.keys(COMPLETE_LISTING) as never[] },
  );
}

/** What a field may be changed to: near what passes and far from it. */
function fieldValues(places: readonly Place[]): Readonly<Record<string, Value>> {
  return {
    title: fc.oneof(text, aroundLimit(LIMITS.titleCharacters)),
    description: fc.oneof(text, aroundLimit(LIMITS.descriptionCharacters)),
    remoteOption: fc.oneof(oneOf(REMOTE_OPTIONS), fc.constant(null)),
    remoteCountry: fc.oneof(text, fc.constant(null), aroundLimit(LIMITS.textCharacters)),
    jobType: oneOf(JOB_TYPES),
    jobLevel: oneOf(JOB_LEVELS),
    locations: listOf(locationOf(places)),
    salaryMin: number,
    salaryMax: number,
    salaryPeriod: oneOf(SALARY_PERIODS),
    bidPerQualifiedApplicantCents: number,
    opportunityId: fc.oneof(text, aroundLimit(LIMITS.textCharacters)),
    atsJobUrl: fc.oneof(
      fc.constantFrom(...URIS),
      fc.webUrl(),
      text,
      aroundLimit(LIMITS.textCharacters - 6).map((rest) => `x-ats:${rest}`),
    ),
    qualifications: listOf(qualification),
    questions: listOf(question),
    budgets: listOf(budget),
    publish: fc.boolean(),
  };
}

type Change = (listing: Record<string, unknown>) => void;

/** One change to a field, to a field of an entry, or to the set of fields. */
function changes(places: readonly Place[]): fc.Arbitrary<Change> {
  const values = fieldValues(places);
  const fields = Object.keys(values);
  const field = fc.constantFrom(...fields);
  const set = (target: Record<string, unknown>, key: string, value: unknown) =>
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  const replaced = field.chain((key) =>
    (values[key] as Value).map(
      (value): Change =>
        (listing) =>
          set(listing, key, value),
    ),
  );
  const wrong = fc.tuple(field, anything).map(
    ([key, value]): Change =>
      (listing) =>
        set(listing, key, value),
  );
  const unknown = fc.tuple(name, anything).map(
    ([key, value]): Change =>
      (listing) =>
        set(listing, key, value),
  );
  const removed = field.map(
    (key): Change =>
      (listing) =>
        void delete listing[key],
  );
  const inEntry = fc
    .tuple(
      fc.constantFrom('locations', 'qualifications', 'questions', 'budgets'),
      fc.option(name),
      fc.nat(3),
      anything,
    )
    .map(
      ([key, added, at, value]): Change =>
        (listing) => {
          const [first, ...rest] = Array.isArray(listing[key]) ? (listing[key] as unknown[]) : [];
          if (typeof first !== 'object' || first === null) return;
          const entry = { ...first } as Record<string, unknown>;
          const known = Object.keys(entry)[at];
          if (added === null && known !== undefined && value === null) delete entry[known];
          else set(entry, added ?? known ?? 'kind', value);
          listing[key] = [entry, ...rest];
        },
    );
  return fc.oneof({ weight: 8, arbitrary: replaced }, wrong, unknown, removed, {
    weight: 2,
    arbitrary: inEntry,
  });
}

/** Listings of every field: right ones, and those that one to four changes have made odd or wrong. */
export function listingArbitrary(places: readonly Place[]): fc.Arbitrary<Record<string, unknown>> {
  const change = changes(places);
  return fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: completeListing(places) }, fc.constant({})),
      fc.oneof(
        { weight: 3, arbitrary: fc.array(change, { maxLength: 1 }) },
        fc.array(change, { minLength: 2, maxLength: 4 }),
      ),
    )
    .map(([listing, made]) => {
      const changed: Record<string, unknown> = { ...listing };
      for (const each of made) each(changed);
      return changed;
    });
}
