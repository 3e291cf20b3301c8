import { groupBy } from './group-by.ts';

/** `['questions', 0, 'prompt']` */
export type FieldPath = readonly (string | number)[];

/** `incomplete` is what only a live listing needs; `invalid` never passes. */
export interface Problem {
  readonly path: FieldPath;
  readonly kind: 'invalid' | 'incomplete';
  readonly message: string;
  readonly hint?: string;
  /** The fields that an unknown one was probably meant to be. */
  readonly meant?: readonly FieldPath[];
  /** True of a rule that only the bundled engine is known to have (decision 31): another server may take the value. */
  readonly isOwnRule?: true;
}

export function invalid(path: FieldPath, message: string, hint?: string): Problem {
  return { path, kind: 'invalid', message, ...(hint === undefined ? {} : { hint }) };
}

/** The others are counted, as nobody reads on. */
export const PROBLEMS_MAX = 100;

export interface Problems {
  readonly problems: readonly Problem[];
  readonly more: number;
}

export const NO_PROBLEMS: Problems = { problems: [], more: 0 };

export class ProblemList implements Problems {
  readonly problems: Problem[] = [];
  more = 0;

  /** `inWords` is called for a problem that is named only: words cost more than finding out. */
  add(inWords: () => Problem): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(inWords());
    else this.more++;
  }
}

export function andMore(count: number): string {
  return count === 0 ? '' : ` and ${count} more ${count === 1 ? 'problem' : 'problems'}`;
}

export function clipped(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

/** A sender may call a field what it likes, at any length. */
const NAME_CHARACTERS_MAX = 120;

/** A path as the error body's `fields` names it: `questions[0].prompt`; the whole input is `body`. */
export function fieldName(path: FieldPath): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else name += name === '' ? step : `.${step}`;
  }
  return name === '' ? 'body' : clipped(name, NAME_CHARACTERS_MAX);
}

/** Section 2.7. */
export function fieldsOf(problems: readonly Problem[]): Record<string, string> {
  return joinedByName(
    problems.map(({ path, message, hint }) => [fieldName(path), hint ? `${message}; ${hint}` : message]),
  );
}

export function joinedByName(named: readonly (readonly [name: string, text: string])[]) {
  const joined = Array.from(
    groupBy(named, ([name]) => name),
    ([name, all]) => [name, all.map(([, text]) => text).join(' · ')],
  );
  return Object.fromEntries(joined);
}
