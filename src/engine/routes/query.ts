import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import { clipText, createProblem, type Problem, validationFailed } from '../../contract/problems.ts';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../contract/values.ts';
import { nearest } from '../../text/nearest.ts';
import type { Call } from '../parts.ts';

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

const BATCH_ROWS = 25;
/** A page ends early above this size, because a hundred of the largest jobs would be 100 MB. */
const PAGE_CHARACTERS = 1024 * 1024;

type PageQuery = ReturnType<typeof readPageQuery>;

export function readPageQuery(query: ReturnType<typeof createQueryReader>) {
  return {
    limit: query.wholeNumber('limit', { max: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT }),
    beforeId: query.readDecoded('cursor', decodeCursor, "isn't the nextCursor of an earlier page"),
  };
}

/** A page ends early after this many rows, because a cap can hide all jobs of a large company. */
const PAGE_ROWS = 1_000;

/** Returns one page as JSON, `{ items, nextCursor }`. Omits rows for which `toJson` returns undefined. */
export async function formatPage<Row extends { readonly id: number }>(
  { limit, beforeId }: PageQuery,
  read: (batch: PageQuery) => Promise<readonly Row[]>,
  toJson: (row: Row) => string | undefined | Promise<string | undefined>,
): Promise<string> {
  const items: string[] = [];
  let characters = 0;
  let lastId: number | undefined;
  const page = (nextCursor: string | null) =>
    `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
  for (let [before, seen] = [beforeId, 0]; ; await nextTurn()) {
    const rows = await read({ beforeId: before, limit: BATCH_ROWS });
    for (const row of rows) {
      const json = await toJson(row);
      if (json === undefined) continue;
      // An item that doesn't fit proves that there's a next page.
      if (lastId !== undefined && (items.length === limit || characters > PAGE_CHARACTERS)) {
        return page(encodeCursor(lastId));
      }
      items.push(json);
      characters += json.length;
      lastId = row.id;
    }
    if (rows.length < BATCH_ROWS) return page(null);
    before = rows.at(-1)?.id ?? 0;
    seen += rows.length;
    if (seen >= PAGE_ROWS) return page(encodeCursor(before));
  }
}

const CURSOR_PREFIX = 'before:';

function encodeCursor(id: number): string {
  return Buffer.from(`${CURSOR_PREFIX}${id}`).toString('base64url');
}

function decodeCursor(cursor: string): number | undefined {
  const id = Number(Buffer.from(cursor, 'base64url').toString().slice(CURSOR_PREFIX.length));
  return Number.isSafeInteger(id) && encodeCursor(id) === cursor ? id : undefined;
}
