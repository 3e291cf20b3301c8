import { isWebLink } from '../../../contract/uri.ts';
import { LIMITS } from '../../../contract/values.ts';
import type { PlaceMeaning } from '../../places/place-meaning.ts';
import type { ImportedPosting } from '../imported-posting.ts';
import type { SourcePosting, SourceText, SourceValue } from '../source-posting.ts';
import { allOf, type Facts, fact, leftOut, missing, shown } from './fact.ts';
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
  const description = descriptionFacts(fields.description, toText, plain);
  const text = description.values?.description?.value ?? '';
  const places = placesNamed(fields.places, meaningOf);
  const facts = allOf([
    titleFacts(fields.title, plain),
    description,
    workPlaceFacts(fields, places, meaningOf),
    jobTypeFacts(fields),
    jobLevelFacts(fields),
    salaryFacts(fields.salaries, text, countriesOf(places)),
    missing('bidPerQualifiedApplicantCents', 'no source has a bid: only you set it'),
    qualificationFacts(fields.qualifications, text, plain),
    questionFacts(fields.questions, plain),
    opportunityFacts(fields.opportunityId),
    addressFacts(fields.atsJobUrl),
  ]);
  return { id, ...facts };
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

function descriptionFacts(
  parts: SourceValue<readonly SourceText[]> | undefined,
  toText: (html: string) => string,
  plain: (text: string) => string,
): Facts {
  if (parts === undefined) return missing('description', 'the source has none');
  const given = parts.value.reduce((sum, { text }) => sum + text.length, 0);
  const most = LIMITS.descriptionCharacters;
  if (given > MARKUP_CHARACTERS_MAX) return missing('description', tooLong(given, most));
  const texts = parts.value.map(({ heading = '', text, isHtml }) => {
    const body = isHtml || HTML.test(text) ? toText(text) : cleanLines(text);
    const title = body === '' ? '' : oneLine(plain(heading.slice(0, LIMITS.textCharacters)));
    return [title, body].filter(Boolean).join('\n');
  });
  const value = texts.filter(Boolean).join('\n\n').trimEnd();
  if (value === '') return missing('description', 'it is empty');
  return value.length > most
    ? missing('description', tooLong(value.length, most))
    : fact('description', value, parts);
}

function opportunityFacts(given: SourceValue<string> | undefined): Facts {
  const most = LIMITS.textCharacters;
  const value = oneLine((given?.value ?? '').slice(0, 2 * most));
  if (given === undefined || value === '') return {};
  if (value.length > most) return leftOut('opportunityId', tooLong(value.length, most));
  return fact('opportunityId', value, given);
}

const BARE_HOST = /^(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?(?=[/?#]|$)/i;
/** What an address says of the way to it, not of the job. */
const TRACKING =
  /(?<=[?&])(?:utm_\w+|gclid|fbclid|msclkid|gh_src|lever-source|lever-origin)=[^&#]*(?:&|(?=#)|$)/gi;

function addressFacts(given: SourceValue<string> | undefined): Facts {
  const text = (given?.value ?? '').trim().slice(0, 2 * LIMITS.textCharacters);
  if (given === undefined || text === '') return {};
  const whole = text.startsWith('//') ? `https:${text}` : BARE_HOST.test(text) ? `https://${text}` : text;
  const short = whole.replace(TRACKING, '').replace(/[?&]+(?=#|$)/, '');
  const encoded = URL.canParse(short) ? new URL(short).href : '';
  const value = [short, encoded].find((one) => isWebLink(one) && one.length <= LIMITS.textCharacters);
  return value === undefined
    ? leftOut('atsJobUrl', `no address of a page: ${shown(text)}`)
    : fact('atsJobUrl', value, given);
}
