import { isWebLink } from '../../contract/uri.ts';
import { LIMITS } from '../../contract/values.ts';
import type { PlaceMeaning } from '../../places/decide/place-meaning.ts';
import { cleanLines, oneLine } from '../../text/words.ts';
import type { ImportedPosting, SourcePosting, SourceText, SourceValue } from '../source-posting.ts';
import { type Facts, fact, mergeFacts, noteMissing, noteOmission, quoteText, withLabels } from './fact.ts';
import { LABEL_END, readLabels } from './labels.ts';
import { qualificationFacts } from './qualifications.ts';
import { questionFacts } from './questions.ts';
import { salaryFacts } from './salary.ts';
import { jobLevelFacts, jobTypeFacts } from './type-and-level.ts';
import { listCountries, placesNamed, workPlaceFacts } from './work-place.ts';

export interface Reading {
  /** Headings whose items are REQUIRED, normalized with `words`. */
  readonly requiredUnder?: readonly string[] | undefined;
  findMeaning(text: string): PlaceMeaning;
  toText(html: string): string;
}

/** Converts a posting to a listing. Its values are valid for a job after places get their IDs. Never throws. */
export function importPosting(
  { id, fields }: SourcePosting,
  { findMeaning, toText, requiredUnder }: Reading,
): ImportedPosting {
  const plain = (text: string): string => (MARKUP.test(text) ? toText(text) : cleanLines(text));
  const parts = textParts(fields.description?.value ?? [], toText, plain);
  const marked = (parts ?? []).map((part) => part.marked).join('\n\n');
  const [whole, label] = [withoutMarks(marked), readLabels(marked)];
  const collectFacts = (given: typeof fields) => {
    const named = placesNamed(given.places, findMeaning);
    const place = workPlaceFacts(given, named, findMeaning);
    const pay = salaryFacts(given.salaries, whole, listCountries(named));
    return mergeFacts([place, jobTypeFacts(given), jobLevelFacts(given), pay]);
  };
  const own = collectFacts(fields);
  const hasLabels = Object.keys(label).length > 0;
  const facts = mergeFacts([
    titleFacts(fields.title, plain),
    descriptionFacts(fields.description, parts && whole),
    asPlaced(hasLabels ? withLabels(own, collectFacts({ ...fields, ...label })) : own),
    noteMissing('bidPerQualifiedApplicantCents', 'no source has a bid, so you must set it'),
    departmentFacts(fields.department, plain),
    qualificationFacts(fields.qualifications, parts ?? [], plain, requiredUnder),
    questionFacts(fields.questions, plain),
    opportunityFacts(fields.opportunityId),
    addressFacts(fields.atsJobUrl),
  ]);
  return { id, ...facts };
}

/** Removes the note on missing locations from a remote job, because its country is enough. */
function asPlaced({ values, notes }: Required<Facts>): Required<Facts> {
  if (values.remoteOption?.value !== 'REMOTE') return { values, notes };
  return { values, notes: notes.filter(({ field, kind }) => field !== 'locations' || kind !== 'missing') };
}

/** Matches only known elements, because a title can contain other words in angle brackets. */
const MARKUP = /<\/?(?:p|br|b|i|u|em|strong|span|div|li|ul|ol|a|font|h\d)\b[^<>]*>|&(?:#\d+|[a-z]+);/i;

function titleFacts(title: SourceValue<string> | undefined, plain: (text: string) => string): Facts {
  const value = oneLine(plain((title?.value ?? '').slice(0, 10 * LIMITS.titleCharacters)));
  if (title === undefined || value === '') return noteMissing('title', 'the source has none');
  return value.length > LIMITS.titleCharacters
    ? noteMissing('title', tooLong(value.length, LIMITS.titleCharacters))
    : fact('title', value, title);
}

function departmentFacts(given: SourceValue<string> | undefined, plain: (text: string) => string): Facts {
  const value = oneLine(plain((given?.value ?? '').slice(0, LIMITS.textCharacters)));
  return given === undefined || value === '' ? {} : fact('department', value, given);
}

function tooLong(characters: number, most: number): string {
  return `it has ${characters} characters (maximum ${most})`;
}

const MARKUP_CHARACTERS_MAX = 1_000_000;
const HTML = /<\/(?:p|li|div|ul|strong|h\d)>|<br ?\/?>/i;

function textParts(
  given: readonly SourceText[],
  toText: (html: string) => string,
  plain: (text: string) => string,
) {
  const characters = given.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > MARKUP_CHARACTERS_MAX) return undefined;
  const parts = given.map(({ heading: title = '', text, isHtml, isRequirements = false }) => {
    const body =
      isHtml || HTML.test(text) ? toText(text.replace(LABEL_TAG, `${LABEL_END}$&`)) : cleanLines(text);
    const heading = body === '' ? '' : oneLine(plain(title.slice(0, LIMITS.textCharacters)));
    const marked = [heading, body].filter(Boolean).join('\n');
    return { marked, heading, text: withoutMarks(body), isRequirements };
  });
  return parts.filter(({ marked }) => marked !== '');
}

/** Matches the end of an element that often contains a label (bold text, a cell, a term). */
const LABEL_TAG = /(?:<|&(?:amp;)?lt;)\/(?:b|strong|t[dh]|dt)(?:>|&(?:amp;)?gt;)/gi;

function withoutMarks(marked: string): string {
  if (!marked.includes(LABEL_END)) return marked;
  return cleanLines(marked.replace(/ ?\ue001 /g, ' ').replaceAll(LABEL_END, ''));
}

function descriptionFacts(parts: SourceValue<unknown> | undefined, value: string | undefined): Facts {
  const most = LIMITS.descriptionCharacters;
  if (parts === undefined) return noteMissing('description', 'the source has none');
  if (value === '') return noteMissing('description', 'it is empty');
  if (value !== undefined && value.length <= most) return fact('description', value, parts);
  return noteMissing('description', `it has more than ${most} characters`);
}

function opportunityFacts(given: SourceValue<string> | undefined): Facts {
  const most = LIMITS.textCharacters;
  const value = oneLine((given?.value ?? '').slice(0, 2 * most));
  if (value.length > most) return noteOmission('opportunityId', tooLong(value.length, most));
  if (given !== undefined && value !== '') return fact('opportunityId', value, given, given.note);
  return given?.note === undefined ? {} : noteOmission('opportunityId', given.note);
}

const BARE_HOST = /^(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?(?=[/?#]|$)/i;
const TRACKING =
  /(?<=[?&])(?:utm_\w+|gclid|fbclid|msclkid|gh_src|lever-source|lever-origin)=[^&#]*(?:&|(?=#)|$)/gi;

function addressFacts(given: SourceValue<string> | undefined): Facts {
  const text = (given?.value ?? '').trim().slice(0, 2 * LIMITS.textCharacters);
  if (given === undefined || text === '') return {};
  const whole = text.startsWith('//') ? `https:${text}` : BARE_HOST.test(text) ? `https://${text}` : text;
  const short = whole.replace(TRACKING, '').replace(/(?<![?&])[?&]+(?=#|$)/, '');
  const encoded = URL.canParse(short) ? new URL(short).href : '';
  const value = [short, encoded].find((one) => isWebLink(one) && one.length <= LIMITS.textCharacters);
  return value === undefined
    ? noteOmission('atsJobUrl', `not a web page URL: ${quoteText(text)}`)
    : fact('atsJobUrl', value, given);
}
