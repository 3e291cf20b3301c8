import { isObject } from '../../../contract/values.ts';
import { jobPostings } from '../json-ld.ts';
import type { SourcePlace, SourceSalary, SourceText } from '../source-posting.ts';
import { near, own, type SourceDocument, type System } from '../system.ts';
import { listAt, placeOf, richText, salaryAt, salaryTexts, termsIn, textAt, valueAt } from './values.ts';

/** A level is a word or a few; what is longer is a requirement. */
const LEVEL_CHARACTERS_MAX = 40;

/** https://schema.org/JobPosting, as JSON-LD: a file, or the scripts of an HTML page. */
export const schemaOrg: System = {
  title: 'schema.org JobPosting',
  recognises: ({ json }) => jobPostings(json).length > 0,
  postings: (document) => postings(document),
  id: (posting) => identifier(posting) ?? words(posting, '@id') ?? address(posting),
  table: {
    title: own('title', (posting) => words(posting, 'title') ?? words(posting, 'name')),
    description: own('description, responsibilities', description),
    workplace: own('jobLocationType', (posting) => words(posting, 'jobLocationType')),
    remoteCountries: own('applicantLocationRequirements', (posting) =>
      listAt(posting, 'applicantLocationRequirements').flatMap(countryOf),
    ),
    places: own('jobLocation', (posting) => listAt(posting, 'jobLocation').flatMap(placesOf)),
    jobType: own('employmentType', (posting) =>
      listAt(posting, 'employmentType').flatMap((type) => termsIn(words(type))),
    ),
    jobLevel: near('experienceRequirements', (posting) =>
      experience(posting).find((text) => text.length <= LEVEL_CHARACTERS_MAX),
    ),
    salaries: own('baseSalary', (posting) =>
      listAt(posting, 'baseSalary').flatMap((pay) => salaries(pay, posting)),
    ),
    qualifications: own(
      'qualifications, skills, educationRequirements, experienceRequirements',
      (posting) => [
        ...['qualifications', 'skills', 'educationRequirements'].flatMap((name) =>
          listAt(posting, name).flatMap((one) => words(one) ?? words(one, 'credentialCategory') ?? []),
        ),
        ...experience(posting).filter((text) => text.length > LEVEL_CHARACTERS_MAX),
      ],
    ),
    opportunityId: own('identifier', identifier),
    atsJobUrl: own('url', address),
  },
};

/** A page that is read from its address says which address its postings mean; its only posting is its own. */
function postings({ name, json }: SourceDocument): readonly unknown[] {
  const found = jobPostings(json);
  if (!/^https?:/i.test(name)) return found;
  return found.map((posting) => {
    const url = address(posting) ?? (found.length === 1 ? name : undefined);
    return url !== undefined && URL.canParse(url, name)
      ? { ...posting, url: new URL(url, name).href }
      : posting;
  });
}

/** A text, also as `{"@value": …}`, `{"name": …}` or the first of several. */
function words(value: unknown, ...path: readonly string[]): string | undefined {
  const [first] = listAt(value, ...path);
  return textAt(first) ?? textAt(first, '@value') ?? textAt(first, 'name') ?? textAt(first, 'value');
}

function identifier(posting: unknown): string | undefined {
  const [first] = listAt(posting, 'identifier');
  return (
    textAt(first, 'value') ?? textAt(first, 'value', '@value') ?? textAt(first) ?? textAt(first, '@value')
  );
}

function address(posting: unknown): string | undefined {
  const [url, id] = [words(posting, 'url'), words(posting, '@id')];
  return url ?? (id !== undefined && /^https?:/i.test(id) ? id : undefined);
}

/** Search engines ask for the whole text in `description`, so that the duties are often in both. */
function description(posting: unknown): readonly SourceText[] {
  const [text, duties] = [words(posting, 'description'), words(posting, 'responsibilities')];
  const isRepeated = text?.includes(duties ?? '') === true;
  return [...richText(text), ...richText(isRepeated ? undefined : duties, 'Responsibilities')];
}

function experience(posting: unknown): readonly string[] {
  return listAt(posting, 'experienceRequirements').flatMap((one) => words(one) ?? []);
}

/** A state is named with its country, if at all: `Texas, USA`. */
function countryOf(area: unknown): readonly string[] {
  const text = words(area);
  const isPart = /(?:State|City|AdministrativeArea)$/.test(textAt(area, '@type') ?? '');
  const [country] = isPart ? termsIn(text).slice(1).toReversed() : [text];
  return country === undefined ? [] : [country];
}

function placesOf(location: unknown): readonly SourcePlace[] {
  if (/VirtualLocation$/.test(textAt(location, '@type') ?? '')) return [{ text: 'Remote' }];
  const addresses = valueAt(location, 'address') === undefined ? [location] : listAt(location, 'address');
  return addresses.flatMap((one) => {
    const city = words(one, 'addressLocality');
    const region = words(one, 'addressRegion');
    const country = words(one, 'addressCountry');
    const hasPart = (city ?? region ?? country) !== undefined;
    return placeOf({ text: textAt(one) ?? (hasPart ? undefined : words(location)), city, region, country });
  });
}

function salaries(pay: unknown, posting: unknown): readonly SourceSalary[] {
  const [value] = listAt(pay, 'value').filter(isObject);
  const part = (name: string) => words(value, name) ?? words(pay, name);
  const amount = textAt(pay) ?? textAt(pay, 'value') ?? part('value') ?? part('price');
  const salary = salaryAt({
    min: part('minValue') ?? amount,
    max: part('maxValue') ?? amount,
    currency: part('currency') ?? part('priceCurrency') ?? words(posting, 'salaryCurrency'),
    period: part('unitText') ?? part('unitCode'),
  });
  return salary.length > 0 ? salary : salaryTexts(amount);
}
