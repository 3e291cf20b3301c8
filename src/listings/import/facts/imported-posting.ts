import { isWebLink } from '../../../contract/uri.ts';
import { LIMITS } from '../../../contract/values.ts';
import type { PlaceMeaning } from '../../places/place-meaning.ts';
import type { ImportedPosting } from '../imported-posting.ts';
import type { SourcePosting, SourceText, SourceValue } from '../source-posting.ts';
import { allOf, type Facts, fact, leftOut, missing, shown, withLabels } from './fact.ts';
import { LABEL_END, labelledFields } from './labels.ts';
import { qualificationFacts } from './qualifications.ts';
import { questionFacts } from './questions.ts';
import { salaryFacts } from './salary.ts';
import { cleanLines, oneLine } from './text.ts';
import { jobLevelFacts, jobTypeFacts } from './type-and-level.ts';
import { countriesOf, placesNamed, workPlaceFacts } from './work-place.ts';

/** What reads texts of a posting that need more than words: a list of places, and a parser of HTML. */
export interface Reading {
  meaningOf(text: string): PlaceMeaning;
  /** `htmlReader` makes it. */
  toText(html: string): string;
}

/** A posting as a listing: each value passes the check of a job once its places have ids. Never throws. */
export function importedPosting(
  { id, fields }: SourcePosting,
  { meaningOf, toText }: Reading,
): ImportedPosting {
  const plain = (text: string): string => (MARKUP.test(text) ? toText(text) : cleanLines(text));
  const parts = textParts(fields.description?.value ?? [], toText, plain);
  const marked = (parts ?? []).map((part) => part.marked).join('\n\n');
  const [whole, label] = [withoutMarks(marked), labelledFields(marked)];
  const factsOf = (given: typeof fields) => {
    const named = placesNamed(given.places, meaningOf);
    const pay = salaryFacts(given.salaries, whole, countriesOf(named));
    return allOf([workPlaceFacts(given, named, meaningOf), jobTypeFacts(given), jobLevelFacts(given), pay]);
  };
  const own = asPlaced(factsOf(fields));
  const facts = allOf([
    titleFacts(fields.title, plain),
    descriptionFacts(fields.description, parts && whole),
    Object.keys(label).length === 0 ? own : asPlaced(withLabels(own, factsOf({ ...fields, ...label }))),
    missing('bidPerQualifiedApplicantCents', 'no source has a bid: only you set it'),
    qualificationFacts(fields.qualifications, parts ?? [], plain),
    questionFacts(fields.questions, plain),
    opportunityFacts(fields.opportunityId),
    addressFacts(fields.atsJobUrl),
  ]);
  return { id, ...facts };
}

/** A remote job needs no place: its country is enough. */
function asPlaced({ values, notes }: Required<Facts>): Required<Facts> {
  if (values.remoteOption?.value !== 'REMOTE') return { values, notes };
  return { values, notes: notes.filter(({ field, kind }) => field !== 'locations' || kind !== 'missing') };
}

/** A title may have a word in angle brackets that is no element. */
const MARKUP = /<\/?(?:p|br|b|i|u|em|strong|span|div|li|ul|ol|a|font|h\d)\b[^<>]*>|&(?:#\d+|[a-z]+);/i;

function titleFacts(title: SourceValue<string> | undefined, plain: (text: string) => string): Facts {
  const value = oneLine(plain((title?.value ?? '').slice(0, 10 * LIMITS.titleCharacters)));
  if (title === undefined || value === '') return missing('title', 'the source has none');
  return value.length > LIMITS.titleCharacters
    ? missing('title', tooLong(value.length, LIMITS.titleCharacters))
    : fact('title', value, title);
}

function tooLong(characters: number, most: number): string {
  return `it has ${characters} characters; at most ${most}`;
}

/** Markup of one posting: enough for any that people wrote, and little enough to read at once. */
const MARKUP_CHARACTERS_MAX = 1_000_000;
/** A text that is called plain but has these is none. */
const HTML = /<\/(?:p|li|div|ul|strong|h\d)>|<br ?\/?>/i;

/** The lines of each part of a text, or undefined if they exceed the limit of a posting. */
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

/** The end of an element that often contains a label (bold text, a cell, a term). */
const LABEL_TAG = /(?:<|&(?:amp;)?lt;)\/(?:b|strong|t[dh]|dt)(?:>|&(?:amp;)?gt;)/gi;

function withoutMarks(marked: string): string {
  if (!marked.includes(LABEL_END)) return marked;
  return cleanLines(marked.replace(/ ?\ue001 /g, ' ').replaceAll(LABEL_END, ''));
}

function descriptionFacts(parts: SourceValue<unknown> | undefined, value: string | undefined): Facts {
  const most = LIMITS.descriptionCharacters;
  if (parts === undefined) return missing('description', 'the source has none');
  if (value === '') return missing('description', 'it is empty');
  if (value !== undefined && value.length <= most) return fact('description', value, parts);
  return missing('description', `it has more than ${most} characters`);
}

function opportunityFacts(given: SourceValue<string> | undefined): Facts {
  const most = LIMITS.textCharacters;
  const value = oneLine((given?.value ?? '').slice(0, 2 * most));
  if (value.length > most) return leftOut('opportunityId', tooLong(value.length, most));
  if (given !== undefined && value !== '') return fact('opportunityId', value, given, given.note);
  return given?.note === undefined ? {} : leftOut('opportunityId', given.note);
}

const BARE_HOST = /^(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?(?=[/?#]|$)/i;
/** What an address says of the way to it, not of the job. */
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
    ? leftOut('atsJobUrl', `no address of a page: ${shown(text)}`)
    : fact('atsJobUrl', value, given);
}
