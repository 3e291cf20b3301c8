import { JOB_LEVELS, JOB_TYPES, type JobLevel, type JobType } from '../../../contract/values.ts';
import { valueWord } from '../../../contract/words.ts';
import type { SourcePosting } from '../source-posting.ts';
import { type Facts, fact, missing, readOf } from './fact.ts';
import { hasPhrase, PHRASES, words } from './text.ts';

const { jobType: TYPES, jobLevel: LEVELS } = PHRASES;

/** In the system's own words only: a title seldom says it. */
export function jobTypeFacts({ jobType }: SourcePosting['fields']): Facts {
  if (jobType === undefined) return missing('jobType', 'the source does not say it', true);
  const said = typesSaid(jobType.value);
  const note = said.length > 1 ? `it says ${said.map(valueWord).join(' and ')}` : undefined;
  // A contract and an internship have hours, too: beside those, they are what the job is.
  const beside = said.filter((type) => type === 'CONTRACT' || type === 'INTERNSHIP');
  const [value, other] = said.length === 2 ? beside : said;
  if (value === undefined || other !== undefined)
    return missing('jobType', `${readOf(jobType)}${note ? `: ${note}` : ' does not say it'}`, !note);
  const origin = { from: readOf(jobType), isOwnField: jobType.isOwnField && note === undefined };
  return fact('jobType', value, origin, note);
}

export function typesSaid(texts: readonly string[]): JobType[] {
  const given = texts.slice(0, 20).map((one) => words(one.slice(0, 300)));
  const rest = without(given.join(' , '), TYPES.neutral);
  return JOB_TYPES.filter((type) => hasPhrase(rest, TYPES[type]));
}

function without(text: string, phrases: readonly string[]): string {
  return phrases.reduce((rest, phrase) => rest.replaceAll(` ${phrase} `, '  '), ` ${text} `).trim();
}

/** Always a guess: no source has this company's three levels. */
export function jobLevelFacts({ jobLevel, title }: SourcePosting['fields']): Facts {
  const text = words((jobLevel?.value ?? '').slice(0, 300));
  const own = JOB_LEVELS.find((level) => LEVELS.own[level].includes(text));
  if (jobLevel && own) return fact('jobLevel', own, { from: readOf(jobLevel), isOwnField: false });
  const inTitle = title && levelInTitle(title.value);
  if (title && inTitle) return fact('jobLevel', inTitle, { from: readOf(title), isOwnField: false });
  const unsaid = 'neither a field nor the title says it';
  return missing('jobLevel', jobLevel ? `${readOf(jobLevel)} does not say it` : unsaid, true);
}

const { title: TITLE } = LEVELS;
const NUMERAL = /(?<![\p{L}\p{N}.)])([\p{L}\p{N}.)]+),? (i|ii|iii|iv|v)(?=\s*(?:$|[,;:()|/–—-]))/iu;
const SEVERAL_NUMERALS = /\b(?:i{1,3}|iv|v)\s*(?:[/,&–-]|or|to)\s*(?:i{1,3}|iv|v)\b/i;
const BY_NUMERAL: Readonly<Record<string, JobLevel>> = { i: 'ENTRY', ii: 'MID', iv: 'SENIOR', v: 'SENIOR' };

/** Two levels in a title are none: "Junior/Senior Developer", "(Senior) Developer". */
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
