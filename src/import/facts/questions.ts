import { applicantBasic } from '../../contract/basics.ts';
import type { QuestionInput } from '../../contract/job.ts';
import { ANSWER_FORMATS, type AnswerFormat, LIMITS, takesOptions } from '../../contract/values.ts';
import { hasPhrase, joinTexts, oneLine, words } from '../../text/words.ts';
import type { SourceQuestion, SourceValue } from '../source-posting.ts';
import { type Facts, fact, mergeFacts, noteOmission, PHRASES, quoteText } from './fact.ts';

const { questionFormats: FORMATS, basics: BASICS, legal: LEGAL } = PHRASES;

const READ_MAX = 10 * LIMITS.arrayEntries;

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
    if (prompt === '' || kept.has(prompt)) continue;
    const reason = whyDropped(question, prompt);
    if (reason === undefined) kept.set(prompt, toQuestion(question, prompt, kept.size + 1));
    else dropped.set(reason, [...(dropped.get(reason) ?? []), quoteText(prompt)]);
  }
  const value = [...kept.values()].slice(0, LIMITS.arrayEntries);
  const more = kept.size - value.length + questions.value.length - given.length;
  return mergeFacts([
    value.length > 0 && fact('questions', value, questions),
    ...Array.from(dropped, ([reason, prompts]) =>
      noteOmission('questions', `${reason}: ${joinTexts(prompts)}`),
    ),
    more > 0 && noteOmission('questions', `${more} more (maximum ${LIMITS.arrayEntries})`),
  ]);
}

function toQuestion(question: SourceQuestion, prompt: string, order: number): QuestionInput {
  const answerFormat = chooseFormat(question);
  return {
    prompt,
    answerFormat,
    ...(takesOptions(answerFormat) && { options: listOptions(question) }),
    order,
  };
}

function whyDropped(question: SourceQuestion, prompt: string): string | undefined {
  const type = words(question.type.slice(0, 100));
  if (basicNamed(prompt) !== undefined) return 'collected from every applicant';
  if (question.isReserved || isLegal(prompt)) return 'legal, demographic or hidden';
  if (FORMATS.dropped.includes(type)) return 'of an unsupported type';
  if (prompt.length > LIMITS.textCharacters) return `longer than ${LIMITS.textCharacters} characters`;
  if (!takesOptions(chooseFormat(question))) return undefined;
  const options = listOptions(question);
  if (options.length === 0) return 'without options to select';
  if (options.length > LIMITS.questionOptions) return `more than ${LIMITS.questionOptions} options`;
  const isLong = options.some((option) => option.length > LIMITS.textCharacters);
  return isLong ? `an option longer than ${LIMITS.textCharacters} characters` : undefined;
}

function chooseFormat({ type, options }: SourceQuestion): AnswerFormat {
  const name = words(type.slice(0, 100));
  const known = ANSWER_FORMATS.find((format) => FORMATS[format].includes(name));
  return known ?? (options.some((option) => oneLine(option) !== '') ? 'SINGLE_SELECT' : 'TEXT');
}

function listOptions({ type, options }: SourceQuestion): string[] {
  const texts = options
    .slice(0, 2 * LIMITS.questionOptions)
    .map(oneLine)
    .filter(Boolean);
  const isYesOrNo = FORMATS.yesOrNo.includes(words(type.slice(0, 100)));
  return texts.length === 0 && isYesOrNo ? ['Yes', 'No'] : [...new Set(texts)];
}

const ASIDE = /[([][^()[\]]{0,60}[)\]]|\*/g;
const PROMPT_WORDS_MAX = 12;

function basicNamed(prompt: string): string | undefined {
  const own = applicantBasic(prompt);
  if (own !== undefined || prompt.length > 100) return own;
  const text = words(prompt.replace(ASIDE, ' '));
  const { asked, ...basics } = BASICS;
  const core = asked.reduce((rest, phrase) => ` ${rest} `.replace(` ${phrase} `, ' ').trim(), text);
  const matchesAny = (phrases: readonly string[]): boolean =>
    phrases.includes(text) || phrases.includes(core);
  return Object.entries(basics).find(([, phrases]) => matchesAny(phrases))?.[0];
}

const CONSENT =
  /^(?:i|by|ich|mit|j|je|acepto|he)\b.*\b(?:agree|consent|read|acknowledge|confirm|einverstanden|gelesen|accepte|leido|submitting|checking|bestatige|akzeptiere)\b/;
const SURVEY = /self identif|voluntary|protected veteran|equal (?:employment )?opportunity/;

/** "What is your gender?" is a legal question. "How do you avoid a race condition?" isn't. */
function isLegal(prompt: string): boolean {
  const text = words(prompt.slice(0, LIMITS.textCharacters));
  if (!hasPhrase(text, LEGAL.words)) return false;
  const isShort = text.split(' ').length <= PROMPT_WORDS_MAX;
  return CONSENT.test(text) || (isShort ? !hasPhrase(text, LEGAL.real) : SURVEY.test(text));
}
