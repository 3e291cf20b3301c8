import { JOB_LEVELS, JOB_TYPES, type JobLevel, type JobType } from '../../contract/values.ts';
import { valueWord } from '../../contract/words.ts';
import { VALUES, without } from '../../listings/vocabulary/vocabulary.ts';
import { hasPhrase, words } from '../../text/words.ts';
import type { SourcePosting } from '../source-posting.ts';
import { describeSource, type Facts, fact, noteMissing, PHRASES } from './fact.ts';

/** Ignores the title, because titles rarely contain the job type. */
export function jobTypeFacts({ jobType }: SourcePosting['fields']): Facts {
  if (jobType === undefined) return noteMissing('jobType', 'not in the source', true);
  const [from, said] = [describeSource(jobType), typesSaid(jobType.value)];
  const note = said.length > 1 ? `several types: ${said.map(valueWord).join(' and ')}` : undefined;
  // "Full-time contract" is a contract, and "part-time internship" is an internship.
  const beside = said.filter((type) => type === 'CONTRACT' || type === 'INTERNSHIP');
  const [value, other] = said.length === 2 ? beside : said;
  if (value === undefined || other !== undefined)
    return noteMissing('jobType', note ? `${from}: ${note}` : `${from} doesn't include it`, !note);
  return fact('jobType', value, { from, isOwnField: jobType.isOwnField && note === undefined }, note);
}

export function typesSaid(texts: readonly string[]): JobType[] {
  const given = texts.slice(0, 20).map((one) => words(one.slice(0, 300)));
  const rest = without(given.join(' , '), VALUES.jobType.neutral);
  return JOB_TYPES.filter((type) => hasPhrase(rest, VALUES.jobType[type]));
}

/** The level is always a guess, because no source uses the same three levels. */
export function jobLevelFacts({ jobLevel, title }: SourcePosting['fields']): Facts {
  const text = words((jobLevel?.value ?? '').slice(0, 300));
  const own = JOB_LEVELS.find((level) => VALUES.jobLevel[level].includes(text));
  if (jobLevel && own) return fact('jobLevel', own, { from: describeSource(jobLevel), isOwnField: false });
  const inTitle = title && levelInTitle(title.value);
  if (title && inTitle) return fact('jobLevel', inTitle, { from: describeSource(title), isOwnField: false });
  const unsaid = 'not in a field or the title';
  return noteMissing('jobLevel', jobLevel ? `${describeSource(jobLevel)} doesn't include it` : unsaid, true);
}

const TITLE = PHRASES.jobLevel;
const NUMERAL = /(?<![\p{L}\p{N}.)])([\p{L}\p{N}.)]+),? (i|ii|iii|iv|v)(?=\s*(?:$|[,;:()|/–—-]))/iu;
const SEVERAL_NUMERALS = /\b(?:i{1,3}|iv|v)\s*(?:[/,&–-]|or|to)\s*(?:i{1,3}|iv|v)\b/i;
const BY_NUMERAL: Readonly<Record<string, JobLevel>> = { i: 'ENTRY', ii: 'MID', iv: 'SENIOR', v: 'SENIOR' };

/** Undefined for two levels in a title: "Junior/Senior Developer", "(Senior) Developer". */
function levelInTitle(given: string): JobLevel | undefined {
  const title = given.slice(0, 500);
  if (TITLE.optionalSenior.some((optional) => title.toLowerCase().includes(optional))) return undefined;
  const text = without(words(title), TITLE.traps);
  const levels = JOB_LEVELS.filter((level) => hasPhrase(text, TITLE[level]));
  if (levels.length > 0) return levels.length === 1 ? levels[0] : undefined;
  const [, before = '', numeral = ''] = NUMERAL.exec(title) ?? [];
  if (SEVERAL_NUMERALS.test(title) || TITLE.notNumerals.includes(words(before))) return undefined;
  return BY_NUMERAL[numeral.toLowerCase()];
}
