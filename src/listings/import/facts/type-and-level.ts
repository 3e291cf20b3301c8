import { JOB_LEVELS, JOB_TYPES, type JobLevel, type JobType } from '../../../contract/values.ts';
import { valueWord } from '../../../contract/words.ts';
import type { SourcePosting } from '../source-posting.ts';
import { type Facts, fact, missing, readOf } from './fact.ts';
import { hasPhrase, PHRASES, words } from './text.ts';

const { jobType: TYPES, jobLevel: LEVELS } = PHRASES;

type TypePhrases = Readonly<Record<JobType, readonly string[]>>;

export function jobTypeFacts({ jobType, title }: SourcePosting['fields']): Facts {
  const says = jobType === undefined ? [] : typesSaid(jobType.value);
  const [value, isClear] = oneType(says);
  const note =
    says.length > 1 ? `it says ${says.map(({ type }) => valueWord(type)).join(' and ')}` : undefined;
  if (jobType && value) {
    return fact('jobType', value, { from: readOf(jobType), isOwnField: isClear && jobType.isOwnField }, note);
  }
  if (jobType && note !== undefined) return missing('jobType', `${readOf(jobType)}: ${note}`);
  const [only, second] =
    title === undefined ? [] : typesIn(words(title.value), TYPES.title, TYPES.title.traps);
  if (title && only && second === undefined)
    return fact('jobType', only, { from: readOf(title), isOwnField: false });
  return missing('jobType', jobType ? `${readOf(jobType)} does not say it` : 'the source does not say it');
}

interface Said {
  readonly type: JobType;
  /** False of a word that means something near: an apprentice is no intern. */
  readonly isExact: boolean;
}

function typesSaid(texts: readonly string[]): Said[] {
  const given = texts.slice(0, 20).map((one) => words(one.slice(0, 300)));
  const text = given.join(' , ');
  const exact = typesIn(text, TYPES, TYPES.neutral).map((type) => ({ type, isExact: true }));
  if (exact.length > 0) return exact;
  const near = JOB_TYPES.filter((type) => hasPhrase(text, (TYPES.near as Partial<TypePhrases>)[type] ?? []));
  return near.map((type) => ({ type, isExact: false }));
}

/** A contract and an internship have hours, too: beside those, they are what the job is. */
function oneType(said: readonly Said[]): readonly [value: JobType | undefined, isClear: boolean] {
  const [first, second, third] = said;
  if (second === undefined) return [first?.type, first?.isExact ?? false];
  const beside = said.filter(({ type }) => type === 'CONTRACT' || type === 'INTERNSHIP');
  return [beside.length === 1 && third === undefined ? beside[0]?.type : undefined, false];
}

function typesIn(text: string, phrases: TypePhrases, neutral: readonly string[]): JobType[] {
  const rest = without(text, neutral);
  return JOB_TYPES.filter((type) => hasPhrase(rest, phrases[type]));
}

function without(text: string, phrases: readonly string[]): string {
  return phrases.reduce((rest, phrase) => rest.replaceAll(` ${phrase} `, '  '), ` ${text} `).trim();
}

/** Always a guess: no source has this company's three levels. */
export function jobLevelFacts({ jobLevel, title }: SourcePosting['fields']): Facts {
  const own = jobLevel && levelOf(jobLevel.value);
  if (jobLevel && own) return fact('jobLevel', own, { from: readOf(jobLevel), isOwnField: false });
  const inTitle = title && levelInTitle(title.value);
  if (title && inTitle) return fact('jobLevel', inTitle, { from: readOf(title), isOwnField: false });
  const unsaid = 'neither a field nor the title says it';
  return missing('jobLevel', jobLevel ? `${readOf(jobLevel)} does not say it` : unsaid);
}

const EXPERIENCE = /(\d{1,3})\+?(?: (?:to )?\d{1,3}\+?)? (month|year)s?/;
const MID_FROM_MONTHS = 24;
const SENIOR_FROM_MONTHS = 60;

function levelOf(given: string): JobLevel | undefined {
  const text = words(given.slice(0, 300));
  const named = JOB_LEVELS.find((level) => LEVELS.own[level].includes(text));
  const [, count, unit] = EXPERIENCE.exec(text) ?? [];
  if (named !== undefined || count === undefined) return named;
  const months = Number(count) * (unit === 'year' ? 12 : 1);
  return months >= SENIOR_FROM_MONTHS ? 'SENIOR' : months >= MID_FROM_MONTHS ? 'MID' : 'ENTRY';
}

const { title: TITLE } = LEVELS;
const SKILLED = TITLE.skilled.join('|');
const SKILLED_SENIOR = new RegExp(
  `(?:^| )(?:(?:lead|staff) (?:${SKILLED})|(?:${SKILLED}|senior) (?:engineer |developer )?(?:lead|staff)$)`,
);
const SKILLED_MID = new RegExp(`(?:^| )mid (?:${SKILLED})(?: |$)`);
const NUMERAL = /([\p{L}\p{N}.)]+),? (i|ii|iii|iv|v)(?=\s*(?:$|[,;:()|/–—-]))/iu;
const SEVERAL_NUMERALS = /\b(?:i{1,3}|iv|v)\s*(?:[/,&–-]|or|to)\s*(?:i{1,3}|iv|v)\b/i;
const BY_NUMERAL: Readonly<Record<string, JobLevel>> = { i: 'ENTRY', ii: 'MID', iv: 'SENIOR', v: 'SENIOR' };

/** Two levels in a title are none: "Junior/Senior Developer", "(Senior) Developer". */
function levelInTitle(given: string): JobLevel | undefined {
  const title = given.slice(0, 500);
  if (TITLE.optionalSenior.some((optional) => title.toLowerCase().includes(optional))) return undefined;
  const text = without(words(title), TITLE.traps);
  const levels = JOB_LEVELS.filter((level) => hasPhrase(text, TITLE[level]));
  if (SKILLED_MID.test(text) || hasPhrase(text, ['mid senior'])) levels.push('MID');
  if (SKILLED_SENIOR.test(text)) levels.push('SENIOR');
  if (levels.length > 0) return new Set(levels).size === 1 ? levels[0] : undefined;
  const [, before = '', numeral = ''] = NUMERAL.exec(title) ?? [];
  if (SEVERAL_NUMERALS.test(title) || TITLE.notNumerals.includes(words(before))) return undefined;
  return BY_NUMERAL[numeral.toLowerCase()];
}
