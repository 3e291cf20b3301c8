import { PartnerError } from '../../contract/errors.ts';
import { clipText, createProblem, type Problem } from '../../contract/problems.ts';
import { nearest } from '../../text/nearest.ts';
import { validationFailed } from '../lifecycle/refusals.ts';
import type { Call } from '../parts.ts';

export type QueryReader = ReturnType<typeof createQueryReader>;

export function createQueryReader(query: URLSearchParams) {
  const problems: Problem[] = [];
  const problem = (name: string, message: string, hint?: string): void => {
    problems.push(createProblem([name], message, hint));
  };
  const text = (name: string): string | undefined => query.get(name) ?? undefined;

  return {
    text,
    readFilledText(name: string, findFault: (text: string) => string | undefined): string {
      const given = text(name)?.trim() ?? '';
      const fault = given === '' ? 'must have at least one character' : findFault(given);
      if (fault !== undefined) problem(name, fault);
      return given;
    },
    wholeNumber(name: string, range: { max: number; default: number }): number {
      const given = text(name);
      if (given === undefined) return range.default;
      const number = /^\d{1,9}$/.test(given) ? Number(given) : 0;
      if (number >= 1 && number <= range.max) return number;
      problem(name, `must be a whole number from 1 to ${range.max}, not ${quoteValue(given)}`);
      return range.default;
    },
    readChoice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
      const given = text(name);
      if (given === undefined) return undefined;
      const value = values.find((known) => known === given);
      if (value === undefined) {
        const near = nearest(given, values);
        const hint = near === undefined ? undefined : `did you mean ${near}?`;
        problem(name, `must be one of ${values.join(', ')}, not ${quoteValue(given)}`, hint);
      }
      return value;
    },
    readDecoded<T>(name: string, decode: (text: string) => T | undefined, message: string): T | undefined {
      const given = text(name);
      const value = given === undefined ? undefined : decode(given);
      if (given !== undefined && value === undefined) problem(name, message);
      return value;
    },
    /** Throws VALIDATION_FAILED with all problems of the query. Must be called before the values are used. */
    check(): void {
      if (problems.length > 0) throw validationFailed(problems);
    },
  };
}

function quoteValue(text: string): string {
  return JSON.stringify(clipText(text, 40));
}

/** Throws NOT_FOUND if the path's ID isn't an integer (decision 23). */
export function parseJobId({ id = '' }: Pick<Call, 'id'>): number {
  if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))) throw new PartnerError('NOT_FOUND');
  return Number(id);
}
