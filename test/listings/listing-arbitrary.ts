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
import { anything, aroundLimit, name, number, oneOf, PROMPTS, text, URIS } from './odd-values.ts';

type Value = fc.Arbitrary<unknown>;
type Listing = Record<string, unknown>;

const mostly = (usual: Value, ...odd: Value[]): Value => fc.oneof({ weight: 4, arbitrary: usual }, ...odd);

const qualification = fc.record({
  text: mostly(fc.constantFrom('Licence', 'Driver', 'é'), text, aroundLimit(LIMITS.textCharacters)),
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
const question = mostly(
  fc.constantFrom<unknown>(...(COMPLETE_LISTING.questions as unknown[])),
  fc.record(
    {
      prompt: mostly(fc.constantFrom(...PROMPTS), text),
      answerFormat: oneOf(ANSWER_FORMATS),
      options,
      order: mostly(fc.nat(50), number),
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
const OTHER_NAMES = '|USA|US|Brasil|Deutschland|Munich|München|SP|Austin|Texas|France|\0'.split('|');

/** The places as a listing may give them: spelled in many ways, by another place's name, by text, by a wrong id. */
function locationOf(places: readonly Place[]): Value {
  const spelled = (name: string) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...SPELLINGS.slice(0, 10)).map((spell) => spell(name)) },
      fc.constantFrom(...SPELLINGS).map((spell) => spell(name)),
      fc.constantFrom(...OTHER_NAMES),
    );
  const asObject = fc.constantFrom(...places).chain(({ locationId: id, city, stateProvince, country }) =>
    fc.record({
      locationId: fc.oneof(
        { weight: 20, arbitrary: fc.constant<unknown>(id) },
        fc.constantFrom<unknown>(1, 0, -1, id + 0.5, String(id), 2 ** 53 - 1, 2 ** 32 + id),
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
  const varied = fc.record({
    title: fc.constantFrom('Welder', 'Soudeur·se', '溶接工'),
    remoteOption: fc.constantFrom(...REMOTE_OPTIONS),
    remoteCountry: fc.constantFrom('Canada', 'United States'),
    jobType: fc.constantFrom(...JOB_TYPES),
    jobLevel: fc.constantFrom(...JOB_LEVELS),
    locations: fc
      .tuple(fc.constantFrom(...places), fc.constantFrom(...SPELLINGS.slice(0, 5)))
      .map(([{ locationId, city, stateProvince, country }, spell]) => [
        { locationId, city: spell(city), stateProvince: spell(stateProvince), country: spell(country) },
      ]),
    bidPerQualifiedApplicantCents: fc.constantFrom(1, 1500),
    atsJobUrl: fc.constantFrom(null, 'https://ats.example/1', 'urn:job:1'),
    questions: fc.constantFrom([], COMPLETE_LISTING.questions),
    budgets: fc.constantFrom([], COMPLETE_LISTING.budgets),
    publish: fc.boolean(),
  });
  return varied.map((fields): Listing => ({ ...COMPLETE_LISTING, ...fields }));
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

/** A listing with one field, one field of an entry, or the set of fields changed. */
function changes(places: readonly Place[]): fc.Arbitrary<(listing: Listing) => Listing> {
  const values = fieldValues(places);
  const field = fc.constantFrom(...Object.keys(values));
  const replaced = field.chain((key) => fc.tuple(fc.constant(key), values[key] as Value));
  const set = fc
    .oneof({ weight: 8, arbitrary: replaced }, fc.tuple(field, anything), fc.tuple(name, anything))
    .map(
      ([key, value]) =>
        (listing: Listing) =>
          withField(listing, key, value),
    );
  const removed = field.map(
    (key) =>
      ({ [key]: _, ...listing }: Listing) =>
        listing,
  );
  const lists = fc.constantFrom('locations', 'qualifications', 'questions', 'budgets');
  const inEntry = fc
    .tuple(lists, fc.option(name), fc.nat(3), anything)
    .map(([key, added, at, value]) => (listing: Listing) => {
      const [first, ...rest] = Array.isArray(listing[key]) ? (listing[key] as unknown[]) : [];
      if (typeof first !== 'object' || first === null) return listing;
      const known = Object.keys(first)[at] ?? 'kind';
      const { [known]: _, ...without } = first as Listing;
      const isRemoval = added === null && value === null;
      return { ...listing, [key]: [isRemoval ? without : withField(first, added ?? known, value), ...rest] };
    });
  return fc.oneof(
    { weight: 10, arbitrary: set },
    { weight: 1, arbitrary: removed },
    { weight: 2, arbitrary: inEntry },
  );
}

/** A field may be called `__proto__`. */
function withField(listing: object, key: string, value: unknown): Listing {
  return Object.defineProperty({ ...listing }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Listings of every field: right ones, and those that one to four changes have made odd or wrong. */
export function listingArbitrary(places: readonly Place[]): fc.Arbitrary<Listing> {
  const change = changes(places);
  const made = fc.oneof(
    { weight: 3, arbitrary: fc.array(change, { maxLength: 1 }) },
    fc.array(change, { minLength: 2, maxLength: 4 }),
  );
  return fc
    .tuple(fc.oneof({ weight: 4, arbitrary: completeListing(places) }, fc.constant({})), made)
    .map(([listing, made]) => made.reduce<Listing>((changed, each) => each(changed), listing));
}
