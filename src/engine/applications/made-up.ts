import type { AnswerValue, ApplicationInput } from '../../contract/application.ts';
import type { Job } from '../../contract/job.ts';
import { normalise } from '../../contract/place-names.ts';
import { type AnswerFormat, DAY_MS } from '../../contract/values.ts';
import { type Draw, drawsOf, oneOfDrawn } from '../lab/draws.ts';
import data from './made-up.json' with { type: 'json' };

export interface MadeUpPlan {
  readonly count: number;
  /** From 0 to 1. Of `count` exactly the nearest whole number is qualified; the seed draws who. */
  readonly qualifiedShare: number;
  /** A whole number below 2^32: the same one makes up the same applicants, but for their email addresses. */
  readonly seed: number;
  /** Stands in every email address: the same applicants can apply in another run. */
  readonly run: string;
  readonly fileId: string;
  /** Epoch ms: dates are drawn around it. */
  readonly now: number;
}

type Asks = Pick<Job, 'questions' | 'qualifications'>;

/** The draws of a number that no applicant has: who is qualified is decided by them. */
const WHO_IS_QUALIFIED = -1;
/** Applicants who answer everything that a job asks, one after the other. */
export function* madeUpApplicants(asks: Asks, plan: MadeUpPlan): Generator<ApplicationInput> {
  const chance = drawsOf(plan.seed, WHO_IS_QUALIFIED);
  let qualifiedLeft = Math.round(plan.count * plan.qualifiedShare);
  for (let n = 0; n < plan.count; n++) {
    // Each choice of that many among them is as likely as the others (Knuth, algorithm 3.4.2 S).
    const isQualified = chance() * (plan.count - n) < qualifiedLeft;
    if (isQualified) qualifiedLeft--;
    yield madeUpApplicant(asks, plan, n, isQualified);
  }
}

function madeUpApplicant(
  { questions, qualifications }: Asks,
  plan: MadeUpPlan,
  n: number,
  isQualified: boolean,
): ApplicationInput {
  const draw = drawsOf(plan.seed, n);
  const firstName = oneOfDrawn(draw, data.firstNames);
  const lastName = oneOfDrawn(draw, data.lastNames);
  const town = oneOfDrawn(draw, data.towns);
  return {
    firstName,
    lastName,
    email: `${mailbox(firstName)}.${mailbox(lastName)}.${plan.run}.${n + 1}@example.com`,
    // 555-0100 to 555-0199 ring nowhere.
    phone: `+1 ${town.areaCode} 555 01${String(Math.floor(draw() * 100)).padStart(2, '0')}`,
    location: town.name,
    resume: plan.fileId,
    answers: Object.fromEntries(
      questions.map((question) => [question.id, ANSWERS[question.answerFormat](draw, question, plan)]),
    ),
    meets: metBy(draw, qualifications, isQualified),
  };
}

function mailbox(name: string): string {
  return normalise(name).replaceAll(' ', '-');
}

/** Who is not qualified lacks one REQUIRED qualification at least. */
function metBy(draw: Draw, qualifications: Asks['qualifications'], isQualified: boolean): string[] {
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
  TEXT: (draw) => oneOfDrawn(draw, data.sentences),
  TEXTAREA: (draw) => `${oneOfDrawn(draw, data.paragraphs)}\n\n${oneOfDrawn(draw, data.sentences)}`,
  SINGLE_SELECT: (draw, { options = [] }) => oneOfDrawn(draw, options) ?? '',
  MULTI_SELECT: (draw, { options = [] }) => {
    const always = Math.floor(draw() * options.length);
    return options.filter((_, index) => index === always || draw() < 0.4);
  },
  // Years of something, unless the question is about pay.
  NUMBER: (draw, { prompt }) =>
    /\b(?:salary|pay|wage|compensation)\b/i.test(prompt) ? 40_000 + 1000 * whole(draw, 80) : whole(draw, 15),
  FILE: (_, __, { fileId }) => fileId,
  // When somebody can begin, unless the question looks back.
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

export function madeUpResume(): Uint8Array {
  return Buffer.from(data.resumePdf, 'latin1');
}
