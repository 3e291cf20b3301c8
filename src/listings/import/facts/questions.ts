import { applicantBasic } from '../../../contract/basics.ts';
import type { QuestionInput } from '../../../contract/job.ts';
import { ANSWER_FORMATS, type AnswerFormat, LIMITS, takesOptions } from '../../../contract/values.ts';
import type { SourceQuestion, SourceValue } from '../source-posting.ts';
import { allOf, type Facts, fact, leftOut, listed, shown } from './fact.ts';
import { hasPhrase, oneLine, PHRASES, words } from './text.ts';

const { questionFormats: FORMATS, basics: BASICS, legal: LEGAL } = PHRASES;

/** No form of a company is longer; the rest is counted only. */
const READ_MAX = 10 * LIMITS.arrayEntries;

/** The screening questions, without what is asked of every applicant and what the law or a survey asks. */
export function questionFacts(
  questions: SourceValue<readonly SourceQuestion[]> | undefined,
  toText: (html: string) => string,
): Facts {
  if (questions === undefined) return {};
  const kept = new Map<string, QuestionInput>();
  const dropped = new Map<string, string[]>();
  const given = questions.value.slice(0, READ_MAX);
  for (const question of given) {
    const prompt = oneLine(toText(question.prompt.slice(0, 5 * LIMITS.textCharacters)));
    const reason = kept.has(prompt) || prompt === '' ? undefined : whyDropped(question, prompt);
    if (reason !== undefined) dropped.set(reason, [...(dropped.get(reason) ?? []), shown(prompt)]);
    else if (prompt !== '' && !kept.has(prompt))
      kept.set(prompt, questionOf(question, prompt, kept.size + 1));
  }
  const value = [...kept.values()].slice(0, LIMITS.arrayEntries);
  const more = kept.size - value.length + questions.value.length - given.length;
  return allOf([
    value.length === 0 ? {} : fact('questions', value, questions),
    ...Array.from(dropped, ([reason, prompts]) => leftOut('questions', `${reason}: ${listed(prompts)}`)),
    more > 0 ? leftOut('questions', `${more} more; at most ${LIMITS.arrayEntries}`) : {},
  ]);
}

function questionOf(question: SourceQuestion, prompt: string, order: number): QuestionInput {
  const answerFormat = formatOf(question);
  return { prompt, answerFormat, ...(takesOptions(answerFormat) && { options: optionsOf(question) }), order };
}

function whyDropped(question: SourceQuestion, prompt: string): string | undefined {
  const type = words(question.type.slice(0, 100));
  if (basicNamed(prompt) !== undefined) return 'asked of every applicant';
  if (question.isReserved || isLegal(prompt)) return 'legal, demographic or hidden';
  if (FORMATS.dropped.includes(type)) return 'of a kind that is not taken over';
  if (prompt.length > LIMITS.textCharacters) return `longer than ${LIMITS.textCharacters} characters`;
  if (!takesOptions(formatOf(question))) return undefined;
  const options = optionsOf(question);
  if (options.length === 0) return 'without options to select';
  if (options.length > LIMITS.questionOptions) return `more than ${LIMITS.questionOptions} options`;
  const isLong = options.some((option) => option.length > LIMITS.textCharacters);
  return isLong ? `an option longer than ${LIMITS.textCharacters} characters` : undefined;
}

/** An unknown type is a choice where it has options, and a line of text elsewhere. */
function formatOf({ type, options }: SourceQuestion): AnswerFormat {
  const name = words(type.slice(0, 100));
  const known = ANSWER_FORMATS.find((format) => FORMATS[format].includes(name));
  return known ?? (options.some((option) => oneLine(option) !== '') ? 'SINGLE_SELECT' : 'TEXT');
}

function optionsOf({ type, options }: SourceQuestion): string[] {
  const texts = options
    .slice(0, 2 * LIMITS.questionOptions)
    .map(oneLine)
    .filter(Boolean);
  const isYesOrNo = FORMATS.yesOrNo.includes(words(type.slice(0, 100)));
  return texts.length === 0 && isYesOrNo ? ['Yes', 'No'] : [...new Set(texts)];
}

const ASIDE = /[([][^()[\]]{0,60}[)\]]|\*/g;
const PROMPT_WORDS_MAX = 12;

/** The contract's own check, and what it means in German, French, Spanish and a few more. */
function basicNamed(prompt: string): string | undefined {
  const own = applicantBasic(prompt);
  if (own !== undefined || prompt.length > 100) return own;
  const text = words(prompt.replace(ASIDE, ' '));
  const { asked, ...basics } = BASICS;
  const core = asked.reduce((rest, phrase) => ` ${rest} `.replace(` ${phrase} `, ' ').trim(), text);
  const isIn = (phrases: readonly string[]): boolean => phrases.includes(text) || phrases.includes(core);
  return Object.entries(basics).find(([, phrases]) => isIn(phrases))?.[0];
}

const CONSENT =
  /^(?:i|by|ich|mit|j|je|acepto|he)\b.*\b(?:agree|consent|read|acknowledge|confirm|einverstanden|gelesen|accepte|leido|submitting|checking|bestatige|akzeptiere)\b/;
const SURVEY = /self identif|voluntary|protected veteran|equal (?:employment )?opportunity/;

/** "What is your gender?" is, "How do you avoid a race condition?" is a question of the trade. */
function isLegal(prompt: string): boolean {
  const text = words(prompt.slice(0, LIMITS.textCharacters));
  if (!hasPhrase(text, LEGAL.words)) return false;
  const isShort = text.split(' ').length <= PROMPT_WORDS_MAX;
  return CONSENT.test(text) || (isShort ? !hasPhrase(text, LEGAL.real) : SURVEY.test(text));
}
