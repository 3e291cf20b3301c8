import { isWebLink } from '../../../contract/uri.ts';
import { LIMITS } from '../../../contract/values.ts';
import type { PlaceMeaning } from '../../places/place-meaning.ts';
import type { ImportedPosting } from '../imported-posting.ts';
import type { SourcePosting, SourceText, SourceValue } from '../source-posting.ts';
import { qualificationFacts } from './qualifications.ts';
import { questionFacts } from './questions.ts';
import { salaryFacts } from './salary.ts';
import { cleanLines, type Facts, imported, leftOut, missing, oneLine, shown } from './text.ts';
import { jobLevelFacts, jobTypeFacts } from './type-and-level.ts';
import { workPlaceFacts } from './work-place.ts';

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
  const description = descriptionFacts(fields.description, toText);
  const text = description.values?.description?.value ?? '';
  const { countries, ...workPlace } = workPlaceFacts(fields, meaningOf);
  const facts: readonly Facts[] = [
    titleFacts(fields.title, plain),
    description,
    workPlace,
    jobTypeFacts(fields),
    jobLevelFacts(fields),
    salaryFacts(fields.salaries, text, countries),
    { notes: [missing('bidPerQualifiedApplicantCents', 'no source has a bid: only you set it')] },
    qualificationFacts(fields.qualifications, text, plain),
    questionFacts(fields.questions, plain),
    opportunityFacts(fields.opportunityId),
    addressFacts(fields.atsJobUrl),
  ];
  return {
    id,
    values: Object.assign({}, ...facts.map(({ values }) => values)),
    notes: facts.flatMap(({ notes = [] }) => notes),
  };
}

const MARKUP = /<\/?[a-z!]|&(?:#\d|[a-z]+;)/i;

function titleFacts(title: SourceValue<string> | undefined, plain: (text: string) => string): Facts {
  const value = oneLine(plain((title?.value ?? '').slice(0, 10 * LIMITS.titleCharacters)));
  if (title === undefined || value === '') return { notes: [missing('title', 'the source has none')] };
  const most = LIMITS.titleCharacters;
  if (value.length > most)
    return { notes: [missing('title', `it has ${value.length} characters; at most ${most}`)] };
  return {
    values: {
      title: imported<'title'>(value, { sure: title.isOwnField ? 'taken' : 'guessed', from: title.from }),
    },
  };
}

/** Markup of one posting: enough for any that people wrote, and little enough to read at once. */
const MARKUP_CHARACTERS_MAX = 1_000_000;

function descriptionFacts(
  parts: SourceValue<readonly SourceText[]> | undefined,
  toText: (html: string) => string,
): Facts {
  if (parts === undefined) return { notes: [missing('description', 'the source has none')] };
  const given = parts.value.reduce((sum, { text }) => sum + text.length, 0);
  const most = LIMITS.descriptionCharacters;
  const tooLong = (length: number) => ({
    notes: [missing('description', `it has ${length} characters; at most ${most}`)],
  });
  if (given > MARKUP_CHARACTERS_MAX) return tooLong(given);
  const texts = parts.value.map(({ heading, text, isHtml }) => {
    const body = isHtml || HTML.test(text) ? toText(text) : cleanLines(text);
    const title = body === '' ? '' : oneLine((heading ?? '').slice(0, LIMITS.textCharacters));
    return [title, body].filter(Boolean).join('\n');
  });
  const value = cleanLines(texts.filter(Boolean).join('\n\n'));
  if (value === '') return { notes: [missing('description', 'it is empty')] };
  if (value.length > most) return tooLong(value.length);
  return {
    values: {
      description: imported<'description'>(value, {
        sure: parts.isOwnField ? 'taken' : 'guessed',
        from: parts.from,
      }),
    },
  };
}

/** A text that is called plain but has these is none. */
const HTML = /<\/(?:p|li|div|ul|strong|h\d)>|<br ?\/?>/i;

function opportunityFacts(given: SourceValue<string> | undefined): Facts {
  const value = oneLine((given?.value ?? '').slice(0, 2 * LIMITS.textCharacters));
  if (given === undefined || value === '') return {};
  if (value.length > LIMITS.textCharacters)
    return { notes: [leftOut('opportunityId', `longer than ${LIMITS.textCharacters} characters`)] };
  return {
    values: {
      opportunityId: imported<'opportunityId'>(value, {
        sure: given.isOwnField ? 'taken' : 'guessed',
        from: given.from,
      }),
    },
  };
}

const BARE_HOST = /^(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?(?=[/?#]|$)/i;
/** What an address says of the way to it, not of the job. */
const TRACKING =
  /(?<=[?&])(?:utm_\w+|gclid|fbclid|msclkid|gh_src|lever-source|lever-origin)=[^&#]*(?:&|(?=#)|$)/gi;

function addressFacts(given: SourceValue<string> | undefined): Facts {
  const text = (given?.value ?? '').trim();
  if (given === undefined || text === '') return {};
  const whole = text.startsWith('//') ? `https:${text}` : BARE_HOST.test(text) ? `https://${text}` : text;
  const short = whole
    .slice(0, 2 * LIMITS.textCharacters)
    .replace(TRACKING, '')
    .replace(/[?&]+(?=#|$)/, '');
  const value = [short, encoded(short)].find((one) => isWebLink(one) && one.length <= LIMITS.textCharacters);
  if (value === undefined || whole.length > 2 * LIMITS.textCharacters)
    return { notes: [leftOut('atsJobUrl', `no address of a page: ${shown(text)}`)] };
  return {
    values: {
      atsJobUrl: imported<'atsJobUrl'>(value, {
        sure: given.isOwnField ? 'taken' : 'guessed',
        from: given.from,
      }),
    },
  };
}

function encoded(address: string): string {
  return URL.canParse(address) ? new URL(address).href : '';
}
