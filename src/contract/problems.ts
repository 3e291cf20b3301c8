import { groupBy } from '../text/group-by.ts';
import { PartnerError } from './errors.ts';

export type FieldPath = readonly (string | number)[];

export interface Problem {
  readonly path: FieldPath;
  readonly kind: 'invalid' | 'incomplete';
  readonly message: string;
  readonly hint?: string;
  readonly meant?: readonly FieldPath[];
  /** True for a rule of the bundled engine (decision 31). Another server may accept the value. */
  readonly isOwnRule?: true;
}

export function createProblem(path: FieldPath, message: string, hint?: string): Problem {
  return { path, kind: 'invalid', message, ...(hint === undefined ? {} : { hint }) };
}

export const PROBLEMS_MAX = 100;

export interface Problems {
  readonly problems: readonly Problem[];
  readonly more: number;
}

export const NO_PROBLEMS: Problems = { problems: [], more: 0 };

export class ProblemList implements Problems {
  readonly problems: Problem[] = [];
  more = 0;

  /** `inWords` is called only for a problem that is reported, because wording is slow. */
  add(inWords: () => Problem): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(inWords());
    else this.more++;
  }
}

export function andMore(count: number): string {
  return count === 0 ? '' : ` and ${count} more ${count === 1 ? 'problem' : 'problems'}`;
}

export function clipText(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

const NAME_CHARACTERS_MAX = 120;

/** Formats a path as in the `fields` of an error body: `questions[0].prompt`. The whole input is `body`. */
export function fieldName(path: FieldPath): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else name += name === '' ? step : `.${step}`;
  }
  return name === '' ? 'body' : clipText(name, NAME_CHARACTERS_MAX);
}

/** Builds the `fields` object of an error response (docs/service.md, section 2.7). */
export function toFields(problems: readonly Problem[]): Record<string, string> {
  return joinByName(
    problems.map(({ path, message, hint }) => [fieldName(path), hint ? `${message}; ${hint}` : message]),
  );
}

export function joinByName(named: readonly (readonly [name: string, text: string])[]) {
  const joined = Array.from(
    groupBy(named, ([name]) => name),
    ([name, all]) => [name, all.map(([, text]) => text).join(' · ')],
  );
  return Object.fromEntries(joined);
}

/** Lists the first 100 problems in `fields` (2.7). `more` counts problems that aren't in `problems`. */
export function validationFailed(problems: readonly Problem[], more = 0): PartnerError {
  const named = problems.slice(0, PROBLEMS_MAX);
  const fields = toFields(named);
  const names = Object.keys(fields).join(', ') + andMore(more + problems.length - named.length);
  const what = problems.every(({ kind }) => kind === 'incomplete') ? 'incomplete listing' : 'invalid input';
  return new PartnerError('VALIDATION_FAILED', { message: `${what}: ${names}`, fields });
}

/** Throws NOT_FOUND if the job is undefined, which includes another company's job. */
export function assertJobFound<T>(id: number, job: T | undefined): T {
  if (job === undefined) throw new PartnerError('NOT_FOUND', { message: `job ${id} not found` });
  return job;
}
