import fc from 'fast-check';
import {
  ANSWER_FORMATS,
  BUDGET_WINDOWS,
  JOB_LEVELS,
  JOB_TYPES,
  LIMITS,
  QUALIFICATION_KINDS,
  REMOTE_OPTIONS,
  SALARY_PERIODS,
} from '../../src/contract/values.ts';
import type { Place } from '../../src/places/place-names.ts';
import { anyText } from '../any-text.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';

type Value = fc.Arbitrary<unknown>;
type Listing = Record<string, unknown>;

const among = (texts: string): fc.Arbitrary<string> => fc.constantFrom(...texts.split('|'));

const mostly = (usual: Value, ...odd: Value[]): Value => fc.oneof({ weight: 4, arbitrary: usual }, ...odd);

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
  anyText({ maxLength: 8 }),
  among(
    '| |\t\n|\u00a0|\u200b|\ufeff|\u2028|\0|a\0b|\ud83d|\ude00x|😀|e\u0301|\u202eabc|\u001b[31m|<b>a</b>|__proto__|null|0|ß',
  ),
);
const name = fc.oneof(
  among(
    'titel|Title|id|status|publish |companyId|note|text|order|__proto__|constructor|length||0|a.b|$schema|\0',
  ),
  text,
);
const number = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 200_000 }) },
  fc.constantFrom(-1, -0, 0.5, 1e21, 2 ** 53 - 1, 2 ** 53, -(2 ** 53) + 1, 1e15, 15.0000001, 1e-9),
);
const anything = fc.oneof(
  text,
  number,
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], { length: 1 }, [{}], ['x']),
  fc.jsonValue({ maxDepth: 6 }),
);

/** Generates a text of the maximum length, or one character more or less, with one to four bytes per character. */
const aroundLimit = (characters: number) =>
  fc
    .tuple(fc.constantFrom(-1, 0, 0, 1), fc.constantFrom('x', 'é', '漢', '😀', ' '))
    .map(([more, unit]) => unit.repeat(characters + more).slice(0, characters + more));

/** Generates a known value, or sometimes a similar one. */
const oneOf = (known: readonly string[]) =>
  mostly(
    fc.constantFrom(...known),
    fc.constantFrom(...known).map((value) => value.toLowerCase()),
    fc.constantFrom(...known).map((value) => ` ${value}`),
    fc.constant(''),
  );

const listOf = (entry: Value) =>
  fc.oneof(
    { weight: 10, arbitrary: fc.array(entry, { minLength: 1, maxLength: 3 }) },
    fc.constant([]),
    fc
      .tuple(entry, fc.constantFrom(LIMITS.arrayEntries, LIMITS.arrayEntries + 1))
      .map(([value, length]) => Array.from({ length }, () => value)),
  );

const qualification = fc.record({
  text: mostly(among('Licence|Driver|é'), text, aroundLimit(LIMITS.textCharacters)),
  kind: oneOf(QUALIFICATION_KINDS),
  order: mostly(fc.nat(50), number),
});
const options = fc.oneof(
  fc.uniqueArray(text, { maxLength: 3 }),
  fc.constantFrom<unknown>([], ['a', 'a'], ['a', 'A'], ['a', 'a '], ['é', 'e\u0301'], null, 'a', [1], [null]),
  fc
    .constantFrom(LIMITS.questionOptions, LIMITS.questionOptions + 1)
    .map((length) => Array.from({ length }, (_, i) => `${i}`)),
);
const PROMPTS =
  'Email|What is your email address?|Preferred first name|CV|Ｅｍａｉｌ|em\u00adail|Phone #|Résumé|Years of practice|Why us?';
const question = mostly(
  fc.constantFrom<unknown>(...COMPLETE_LISTING.questions),
  fc.record(
    { prompt: mostly(among(PROMPTS), text), answerFormat: oneOf(ANSWER_FORMATS), options, order: number },
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
/** By RFC 3986, the first row contains URIs and the second doesn't. */
const uri = fc.oneof(
  among(
    'https://ats.example/jobs/1|http://[::1]:80/|urn:job:1|x-ats:|data:,|https://ats.example/%C3%A9?a=b#c|x:a:b',
  ),
  among(
    'a b|https://ats.example/a b| urn:a|urn:%4|https://|//ats.example|/jobs|1:a|https://ats.example/é|https://a/#b#c',
  ),
);

const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
  (name) => name.replace(/ß/g, 'ss').replace(/[äöü]/g, (letter) => `${letter.normalize('NFD')[0]}e`),
  (name) => ` ${name.replace(/ /g, '  ')}\t`,
  (name) => name.replace(/[-' .,]/g, ''),
  (name) => name.replace(/Saint/g, 'St.').replace(/St\. /g, 'Saint '),
  (name) => [...name].join('\u00ad'),
  (name) => `${name} City`,
];

function locationOf(places: readonly Place[]): Value {
  const spelled = (name: string) =>
    mostly(
      fc.constantFrom(...SPELLINGS).map((spell) => spell(name)),
      among('|USA|US|Brasil|Deutschland|Munich|München|SP|Austin|Texas|\0'),
    );
  const place = fc.constantFrom(...places);
  const asObject = place.chain(({ locationId: id, city, stateProvince, country }) =>
    fc.record({
      locationId: mostly(
        fc.constant(id),
        fc.constantFrom<unknown>(1, 0, -1, id + 0.5, `${id}`, 2 ** 32 + id),
      ),
      city: spelled(city),
      stateProvince: spelled(stateProvince),
      country: spelled(country),
    }),
  );
  const asText = place.chain(({ city, displayName, locationId }) =>
    fc.constantFrom(city, displayName, `${locationId}`, ` ${city}?`, ''),
  );
  return fc.oneof({ weight: 12, arbitrary: asObject }, asText, anything);
}

/** Generates values of each field, valid and invalid. */
const fieldValues = (places: readonly Place[]): Readonly<Record<string, Value>> => ({
  title: fc.oneof(text, aroundLimit(LIMITS.titleCharacters)),
  description: fc.oneof(text, aroundLimit(LIMITS.descriptionCharacters)),
  remoteOption: oneOf(REMOTE_OPTIONS),
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
    uri,
    text,
    aroundLimit(LIMITS.textCharacters - 6).map((rest) => `x-ats:${rest}`),
  ),
  qualifications: listOf(qualification),
  questions: listOf(question),
  budgets: listOf(budget),
  publish: fc.boolean(),
});

/** Generates a change of a field or of an entry's field, or its removal. */
function changes(places: readonly Place[]): fc.Arbitrary<(listing: Listing) => Listing> {
  const values = fieldValues(places);
  const field = fc.constantFrom(...Object.keys(values));
  const inField = fc
    .oneof(
      { weight: 8, arbitrary: field.chain((key) => fc.tuple(fc.constant(key), values[key] as Value)) },
      fc.tuple(field, fc.oneof(anything, fc.constant(undefined))),
      fc.tuple(name, anything),
    )
    .map(
      ([key, value]) =>
        (listing: Listing) =>
          withField(listing, key, value),
    );
  const lists = among('locations|qualifications|questions|budgets');
  const inEntry = fc
    .tuple(lists, fc.option(name), fc.nat(3), fc.oneof(anything, fc.constant(undefined)))
    .map(([key, added, at, value]) => (listing: Listing) => {
      const [first, ...rest] = Array.isArray(listing[key]) ? (listing[key] as unknown[]) : [];
      if (typeof first !== 'object' || first === null) return listing;
      const changed = withField(first, added ?? Object.keys(first)[at] ?? 'kind', value);
      return { ...listing, [key]: [changed, ...rest] };
    });
  return fc.oneof({ weight: 5, arbitrary: inField }, { weight: 1, arbitrary: inEntry });
}

/** Supports fields called `__proto__`. An undefined field is missing in JSON. */
function withField(listing: object, key: string, value: unknown): Listing {
  const property = { value, enumerable: true, configurable: true, writable: true };
  return Object.defineProperty({ ...listing }, key, property);
}

/** Generates listings with all fields and up to four changes, which can be invalid. */
export function listingArbitrary(places: readonly Place[]): fc.Arbitrary<Listing> {
  const complete = fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...SPELLINGS.slice(0, 4)), fc.boolean())
    .map(
      ([{ locationId, city, stateProvince, country }, spell, publish]): Listing => ({
        ...COMPLETE_LISTING,
        publish,
        locations: [
          { locationId, city: spell(city), stateProvince: spell(stateProvince), country: spell(country) },
        ],
      }),
    );
  const base = fc.oneof({ weight: 4, arbitrary: complete }, fc.constant<Listing>({}));
  const made = fc.oneof(
    { weight: 3, arbitrary: fc.array(changes(places), { maxLength: 1 }) },
    fc.array(changes(places), { minLength: 2, maxLength: 4 }),
  );
  return fc
    .tuple(base, made)
    .map(([listing, all]) => all.reduce((changed, change) => change(changed), listing));
}
