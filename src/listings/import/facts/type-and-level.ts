import { JOB_LEVELS, JOB_TYPES, type JobLevel, type JobType } from '../../../contract/values.ts';
import { valueWord } from '../../../contract/words.ts';
import type { SourcePosting } from '../source-posting.ts';
import { type Facts, hasPhrase, imported, missing, PHRASES, shown, words } from './text.ts';

const { jobType: TYPES, jobLevel: LEVELS } = PHRASES;

type TypePhrases = Readonly<Record<JobType, readonly string[]>>;

export function jobTypeFacts({ jobType, title }: SourcePosting['fields']): Facts {
  const own = jobType === undefined ? undefined : readType(jobType.value);
  if (jobType !== undefined && own?.value !== undefined) {
    const { value, isClear, says } = own;
    const from = `${jobType.from}: ${jobType.value.map(shown).join(', ')}`;
    const isTaken = isClear && jobType.isOwnField;
    const note = says.length > 1 ? `it says ${says.map(valueWord).join(' and ')}` : undefined;
    return { values: { jobType: imported(value, { sure: isTaken ? 'taken' : 'guessed', from, note }) } };
  }
  const inTitle = title === undefined ? [] : typesIn(words(title.value), TYPES.title, TYPES.title.traps);
  const [only, second] = inTitle;
  if (own?.says.length !== undefined && own.says.length > 1) {
    return { notes: [missing('jobType', `the source says ${own.says.map(valueWord).join(' and ')}`)] };
  }
  if (title !== undefined && only !== undefined && second === undefined) {
    const from = `${title.from}: ${shown(title.value)}`;
    return { values: { jobType: imported(only, { sure: 'guessed', from }) } };
  }
  const given = jobType?.value.map(shown).join(', ');
  return {
    notes: [
      missing('jobType', given === undefined ? 'the source does not say it' : `${given} does not say it`),
    ],
  };
}

/** Undefined where it says nothing of it, or two things that one job cannot be. */
function readType(texts: readonly string[]): { value?: JobType; isClear: boolean; says: JobType[] } {
  const text = texts
    .slice(0, 20)
    .map((one) => words(one.slice(0, 300)))
    .join(' , ');
  const says = typesIn(text, TYPES, TYPES.neutral);
  const [first, second] = says;
  if (first === undefined) {
    const near = JOB_TYPES.filter((type) =>
      hasPhrase(text, (TYPES.near as Partial<TypePhrases>)[type] ?? []),
    );
    return { ...(near[0] && near.length === 1 && { value: near[0] }), isClear: false, says: near };
  }
  if (second === undefined) return { value: first, isClear: true, says };
  const beside = says.find((type) => type === 'CONTRACT' || type === 'INTERNSHIP');
  const isOne =
    says.length === 2 && beside !== undefined && !(says.includes('CONTRACT') && says.includes('INTERNSHIP'));
  return { ...(isOne && { value: beside }), isClear: false, says };
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
  const own = jobLevel === undefined ? undefined : levelOf(jobLevel.value);
  if (jobLevel !== undefined && own !== undefined) {
    const from = `${jobLevel.from}: ${shown(jobLevel.value)}`;
    return { values: { jobLevel: imported(own, { sure: 'guessed', from }) } };
  }
  const inTitle = title === undefined ? undefined : levelInTitle(title.value);
  if (title !== undefined && inTitle !== undefined) {
    const from = `${title.from}: ${shown(title.value)}`;
    return { values: { jobLevel: imported(inTitle, { sure: 'guessed', from }) } };
  }
  const reason =
    jobLevel === undefined
      ? 'neither a field nor the title says it'
      : `${shown(jobLevel.value)} does not say it`;
  return { notes: [missing('jobLevel', reason)] };
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
