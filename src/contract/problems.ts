/** Where a problem sits in a value: `['questions', 0, 'prompt']`. */
export type FieldPath = readonly (string | number)[];

/**
 * One thing wrong with an input. `message` says what is wrong; `hint` what to do, where more can be said.
 * `kind` separates what never passes (`invalid`) from what only a live listing needs (`incomplete`).
 */
export interface Problem {
  readonly path: FieldPath;
  readonly kind: 'invalid' | 'incomplete';
  readonly message: string;
  readonly hint?: string;
  /** For an unknown field: the fields that it was most likely meant to be; none where that cannot be told. */
  readonly meant?: readonly FieldPath[];
  /** True of a rule that only the bundled engine is known to have (decision 31): another server may take the value. */
  readonly isOwnRule?: true;
}

/** So many problems of one input are named; the others are counted, as nobody reads on. */
export const PROBLEMS_MAX = 100;

/** The first problems of an input, and how many there are besides. */
export interface Problems {
  readonly problems: readonly Problem[];
  readonly more: number;
}

export const NO_PROBLEMS: Problems = { problems: [], more: 0 };

/** Problems as they are found. */
export class ProblemList implements Problems {
  readonly problems: Problem[] = [];
  more = 0;

  /** `inWords` is called for a problem that is named only: words cost more than finding out. */
  add(inWords: () => Problem): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(inWords());
    else this.more++;
  }
}

/** What an error's message says of the problems that it does not name. */
export function andMore(count: number): string {
  return count === 0 ? '' : ` and ${count} more ${count === 1 ? 'problem' : 'problems'}`;
}

/** Text from outside as a message repeats it: its beginning, where it is long. */
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

/**
 * The `fields` object of an error body (2.7). Two problems of one field are joined. A map on the way,
 * because a field may be called `constructor` or `__proto__` by whoever sent it.
 */
export function fieldsOf(problems: readonly Problem[]): Record<string, string> {
  const fields = new Map<string, string>();
  for (const problem of problems) {
    const name = fieldName(problem.path);
    const text = problem.hint ? `${problem.message}; ${problem.hint}` : problem.message;
    const before = fields.get(name);
    fields.set(name, before === undefined ? text : `${before} · ${text}`);
  }
  return Object.fromEntries(fields);
}
