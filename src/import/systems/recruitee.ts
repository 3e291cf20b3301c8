import { isObject } from '../../contract/values.ts';
import { own, readEach, type System } from '../system.ts';
import * as read from './values.ts';

/** https://docs.recruitee.com, Careers Site API: the response of `/api/offers/`, or of a single offer. */
export const recruitee: System = {
  title: 'Recruitee',
  recognises: ({ json }) =>
    read.hasFields(listOffers(json), 'title', ['careers_url', 'open_questions']) ||
    (read.getValue(json, 'offers') !== undefined && read.getList(json, 'offers').length === 0),
  postings: ({ json }) => listOffers(json),
  isListed: (offer) => (read.getText(offer, 'status') ?? 'published') === 'published',
  id: (offer) => read.getText(offer, 'id'),
  boardUrl: (token) => `https://${token}.recruitee.com/api/offers/`,
  table: {
    title: own('title', (offer) => getTranslated(offer, 'title')),
    description: own('description, requirements', (offer) => {
      const text = getTranslated(offer, 'requirements');
      const hasHeading = /^(?:<p\b[^>]*><\/p>\s*)*<(?:h\d|p\b[^>]*>\s*<(?:b|strong))\b/i.test(text ?? '');
      return [
        ...read.richText(getTranslated(offer, 'description')),
        ...read.requirements(text, hasHeading ? undefined : 'Requirements'),
      ];
    }),
    department: 'department',
    workplace: own('remote, hybrid, on_site', workplace),
    places: own('locations', (offer) => read.readPlaces(offer, read.getList(offer, 'locations'))),
    jobType: 'employment_type_code',
    jobLevel: 'experience_code',
    salaries: own('salary', (offer) => read.readSalary(read.getValue(offer, 'salary'))),
    questions: readEach('open_questions', (question) => {
      const [prompt, kind] = [getTranslated(question, 'body'), read.getText(question, 'kind') ?? 'string'];
      if (prompt === undefined || kind === 'infobox') return [];
      const options = read.getList(question, 'open_question_options');
      const texts = options.flatMap((option) => getTranslated(option, 'body') ?? []);
      const type = kind === 'text' ? 'long text' : kind;
      return [{ prompt, type, options: texts, isReserved: kind === 'legal' || read.isHidden(question) }];
    }),
    opportunityId: 'id',
    atsJobUrl: ['careers_url', 'careers_apply_url'],
  },
};

function listOffers(json: unknown): readonly unknown[] {
  return read.getValue(json, 'offer') === undefined
    ? read.listPostings(json, 'offers')
    : read.getList(json, 'offer');
}

/** Returns the text or its first translation, because a company may use only one language. */
function getTranslated(value: unknown, field: string): string | undefined {
  const translations = read.getValue(value, 'translations');
  const others = isObject(translations) ? Object.values(translations) : [];
  return [value, ...others].map((one) => read.getText(one, field)).find((text) => text !== undefined);
}

/** Undefined if applicants can choose between remote and on site, because a listing allows only one. */
function workplace(offer: unknown): string | undefined {
  const flags = ['remote', 'hybrid', 'on_site'].filter((flag) => read.getValue(offer, flag) === true);
  return flags.includes('hybrid') ? 'hybrid' : flags.length === 1 ? flags[0] : undefined;
}
