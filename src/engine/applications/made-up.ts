import type { AnswerValue, ApplicationInput } from '../../contract/application.ts';
import type { Job } from '../../contract/job.ts';
import { type AnswerFormat, DAY_MS } from '../../contract/values.ts';
import { normalise } from '../../places/place-names.ts';
import { createDraw, type Draw, drawOne } from '../lab/draws.ts';
import data from './made-up.json' with { type: 'json' };

export interface MadeUpPlan {
  readonly count: number;
  /** Share from 0 to 1. The number of qualified applicants is exact. The seed only decides who is qualified. */
  readonly qualifiedShare: number;
  /** A whole number below 2^32. The same seed creates the same applicants, except for their email addresses. */
  readonly seed: number;
  readonly run: string;
  readonly fileId: string;
  readonly now: number;
}

type Asks = Pick<Job, 'questions' | 'qualifications'>;

/** Random sequence that decides who is qualified. Applicants use sequences from 0 up. */
const WHO_IS_QUALIFIED = -1;
export function* createApplicants(asks: Asks, plan: MadeUpPlan): Generator<ApplicationInput> {
  const chance = createDraw(plan.seed, WHO_IS_QUALIFIED);
  let qualifiedLeft = Math.round(plan.count * plan.qualifiedShare);
  for (let n = 0; n < plan.count; n++) {
    // Selection sampling: every set of qualified applicants is equally likely (Knuth, algorithm 3.4.2 S).
    const isQualified = chance() * (plan.count - n) < qualifiedLeft;
    if (isQualified) qualifiedLeft--;
    yield createApplicant(asks, plan, n, isQualified);
  }
}

function createApplicant(
  { questions, qualifications }: Asks,
  plan: MadeUpPlan,
  n: number,
  isQualified: boolean,
): ApplicationInput {
  const draw = createDraw(plan.seed, n);
  const firstName = drawOne(draw, data.firstNames);
  const lastName = drawOne(draw, data.lastNames);
  const town = drawOne(draw, data.towns);
  return {
    firstName,
    lastName,
    email: `${mailbox(firstName)}.${mailbox(lastName)}.${plan.run}.${n + 1}@example.com`,
    // 555-0100 to 555-0199 are reserved for fictional use.
    phone: `+1 ${town.areaCode} 555 01${String(Math.floor(draw() * 100)).padStart(2, '0')}`,
    location: town.name,
    resume: plan.fileId,
    answers: Object.fromEntries(
      questions.map((question) => [question.id, ANSWERS[question.answerFormat](draw, question, plan)]),
    ),
    meets: drawMet(draw, qualifications, isQualified),
  };
}

function mailbox(name: string): string {
  return normalise(name).replaceAll(' ', '-');
}

function drawMet(draw: Draw, qualifications: Asks['qualifications'], isQualified: boolean): string[] {
  const required = qualifications.filter(({ kind }) => kind === 'REQUIRED');
  const lacking = required[Math.floor(draw() * required.length)]?.id;
  return qualifications
    .filter(({ id, kind }) => {
      const isLikely = draw() < 0.6;
      if (kind === 'DESIRED') return isLikely;
      return isQualified || (id !== lacking && isLikely);
    })
    .map(({ id }) => id);
}

const ANSWERS: Readonly<
  Record<AnswerFormat, (draw: Draw, question: Asks['questions'][number], plan: MadeUpPlan) => AnswerValue>
> = {
  TEXT: (draw) => drawOne(draw, data.sentences),
  TEXTAREA: (draw) => `${drawOne(draw, data.paragraphs)}\n\n${drawOne(draw, data.sentences)}`,
  SINGLE_SELECT: (draw, { options = [] }) => drawOne(draw, options) ?? '',
  MULTI_SELECT: (draw, { options = [] }) => {
    const always = Math.floor(draw() * options.length);
    return options.filter((_, index) => index === always || draw() < 0.4);
  },
  NUMBER: (draw, { prompt }) =>
    /\b(?:salary|pay|wage|compensation)\b/i.test(prompt) ? 40_000 + 1000 * whole(draw, 80) : whole(draw, 15),
  FILE: (_, __, { fileId }) => fileId,
  DATE: (draw, { prompt }, { now }) => {
    const days = /\b(?:(?:since|completed|obtained|issued|ended)\b|graduat)/i.test(prompt)
      ? -whole(draw, 5_000) - 1
      : whole(draw, 60) + 1;
    return new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  },
  SINGLE_CHECKBOX: (draw) => draw() < 0.8,
};

function whole(draw: Draw, max: number): number {
  return Math.floor(draw() * (max + 1));
}

export const RESUME = Buffer.from(data.resumePdf, 'latin1');
