import { isObject } from '../../contract/values.ts';
import { jobPostings } from '../json-ld.ts';
import type { SourcePlace, SourceSalary, SourceText } from '../source-posting.ts';
import { near, own, readEach, type SourceDocument, type System } from '../system.ts';
import * as read from './values.ts';

const LEVEL_CHARACTERS_MAX = 40;

/** https://schema.org/JobPosting, as JSON-LD: a file, or the scripts of an HTML page. */
export const schemaOrg: System = {
  title: 'schema.org JobPosting',
  recognises: ({ json }) => jobPostings(json).length > 0,
  postings,
  id: (posting) => identifier(posting) ?? words(posting, '@id') ?? address(posting),
  table: {
    title: own('title', (posting) => words(posting, 'title') ?? words(posting, 'name')),
    description: own('description, responsibilities', description),
    department: [
      own('hiringOrganization.department', (posting) => words(posting, 'hiringOrganization.department')),
      near('occupationalCategory', (posting) => words(posting, 'occupationalCategory')),
    ],
    workplace: own('jobLocationType', (posting) => words(posting, 'jobLocationType')),
    remoteCountries: readEach('applicantLocationRequirements', findCountry),
    places: readEach('jobLocation', readAddresses),
    jobType: readEach('employmentType', (type) => read.parseTerms(words(type))),
    jobLevel: near('experienceRequirements', (posting) =>
      experience(posting).find((text) => text.length <= LEVEL_CHARACTERS_MAX),
    ),
    salaries: readEach('baseSalary', salaries),
    qualifications: own(
      'qualifications, skills, educationRequirements, experienceRequirements',
      (posting) => [
        ...['qualifications', 'skills', 'educationRequirements'].flatMap((name) =>
          read.getList(posting, name).flatMap((one) => words(one) ?? words(one, 'credentialCategory') ?? []),
        ),
        ...experience(posting).filter((text) => text.length > LEVEL_CHARACTERS_MAX),
      ],
    ),
    opportunityId: own('identifier', identifier),
    atsJobUrl: own('url', address),
  },
};

/** Makes URLs absolute if the page was read from a URL. A page's only posting gets the page's URL. */
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

function words(value: unknown, path?: string): string | undefined {
  const [first] = read.getList(value, path);
  return read.getText(first, '', '@value', 'name', 'value');
}

function identifier(posting: unknown): string | undefined {
  const [first] = read.getList(posting, 'identifier');
  return read.getText(first, 'value', 'value.@value', '', '@value');
}

function address(posting: unknown): string | undefined {
  const [url, id] = [words(posting, 'url'), words(posting, '@id')];
  return url ?? (id !== undefined && /^https?:/i.test(id) ? id : undefined);
}

/** Search engines want the whole text in `description`, so it often repeats the responsibilities. */
function description(posting: unknown): readonly SourceText[] {
  const [text, duties] = [words(posting, 'description'), words(posting, 'responsibilities')];
  const isRepeated = text?.includes(duties ?? '') === true;
  return [...read.richText(text), ...read.richText(isRepeated ? undefined : duties, 'Responsibilities')];
}

function experience(posting: unknown): readonly string[] {
  return read.getList(posting, 'experienceRequirements').flatMap((one) => words(one) ?? []);
}

/** A state or city counts only if its country follows: `Texas, USA`. */
function findCountry(area: unknown): readonly string[] {
  const text = words(area);
  const isPart = /(?:State|City|AdministrativeArea)$/.test(read.getText(area, '@type') ?? '');
  const [country] = isPart ? read.parseTerms(text).slice(1).toReversed() : [text];
  return country === undefined ? [] : [country];
}

function readAddresses(location: unknown): readonly SourcePlace[] {
  if (/VirtualLocation$/.test(read.getText(location, '@type') ?? '')) return [{ text: 'Remote' }];
  const addresses =
    read.getValue(location, 'address') === undefined ? [location] : read.getList(location, 'address');
  return addresses.flatMap((one) => {
    const city = words(one, 'addressLocality');
    const region = words(one, 'addressRegion');
    const country = words(one, 'addressCountry');
    const hasPart = (city ?? region ?? country) !== undefined;
    return read.toPlaces({
      text: read.getText(one) ?? (hasPart ? undefined : words(location)),
      city,
      region,
      country,
    });
  });
}

function salaries(pay: unknown, posting: unknown): readonly SourceSalary[] {
  const [value] = read.getList(pay, 'value').filter(isObject);
  const part = (name: string) => words(value, name) ?? words(pay, name);
  const amount = read.getText(pay, '', 'value') ?? part('value') ?? part('price');
  const salary = read.readSalary({
    min: part('minValue') ?? amount,
    max: part('maxValue') ?? amount,
    currency: part('currency') ?? part('priceCurrency') ?? words(posting, 'salaryCurrency'),
    period: part('unitText') ?? part('unitCode'),
  });
  return salary.length > 0 ? salary : read.salaryTexts(amount);
}
