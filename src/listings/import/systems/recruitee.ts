import { isObject } from '../../../contract/values.ts';
import { own, ownText, ownTexts, type System } from '../system.ts';
import * as read from './values.ts';

/** https://docs.recruitee.com, Careers Site API: the answer of `/api/offers/`, or of one offer. */
export const recruitee: System = {
  title: 'Recruitee',
  recognises: ({ json }) =>
    read.isKnownBy(offersIn(json), 'title', ['careers_url', 'open_questions']) ||
    (read.valueAt(json, 'offers') !== undefined && read.listAt(json, 'offers').length === 0),
  postings: ({ json }) => offersIn(json),
  isListed: (offer) => (read.textAt(offer, 'status') ?? 'published') === 'published',
  id: (offer) => read.textAt(offer, 'id'),
  boardUrl: (token) => `https://${token}.recruitee.com/api/offers/`,
  table: {
    title: own('title', (offer) => translated(offer, 'title')),
    description: own('description, requirements', (offer) => {
      const text = translated(offer, 'requirements');
      const hasHeading = /^(?:<p\b[^>]*><\/p>\s*)*<(?:h\d|p\b[^>]*>\s*<(?:b|strong))\b/i.test(text ?? '');
      return [
        ...read.richText(translated(offer, 'description')),
        ...read.requirements(text, hasHeading ? undefined : 'Requirements'),
      ];
    }),
    workplace: own('remote, hybrid, on_site', workplace),
    places: own('locations', (offer) => read.placesIn(offer, read.listAt(offer, 'locations'))),
    jobType: ownTexts('employment_type_code'),
    jobLevel: ownText('experience_code'),
    salaries: own('salary', (offer) => read.salaryAt(read.valueAt(offer, 'salary'))),
    questions: own('open_questions', (offer) =>
      read.listAt(offer, 'open_questions').flatMap((question) => {
        const [prompt, kind] = [translated(question, 'body'), read.textAt(question, 'kind') ?? 'string'];
        if (prompt === undefined || kind === 'infobox') return [];
        const options = read.listAt(question, 'open_question_options');
        const texts = options.flatMap((option) => translated(option, 'body') ?? []);
        const type = kind === 'text' ? 'long text' : kind;
        return [{ prompt, type, options: texts, isReserved: kind === 'legal' || read.isHidden(question) }];
      }),
    ),
    opportunityId: ownText('id'),
    atsJobUrl: ownText('careers_url', 'careers_apply_url'),
  },
};

function offersIn(json: unknown): readonly unknown[] {
  return read.valueAt(json, 'offer') === undefined
    ? read.postingsIn(json, 'offers')
    : read.listAt(json, 'offer');
}

/** The text itself, or its first translation: a company may write in one language only. */
function translated(value: unknown, field: string): string | undefined {
  const translations = read.valueAt(value, 'translations');
  const others = isObject(translations) ? Object.values(translations) : [];
  return [value, ...others].map((one) => read.textAt(one, field)).find((text) => text !== undefined);
}

/** Undefined for a job that is remote or on site as the applicant likes: a listing is one of them. */
function workplace(offer: unknown): string | undefined {
  const flags = ['remote', 'hybrid', 'on_site'].filter((flag) => read.valueAt(offer, flag) === true);
  return flags.includes('hybrid') ? 'hybrid' : flags.length === 1 ? flags[0] : undefined;
}
