import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  ERRORS,
  type ErrorCode,
  EXIT,
  errorBody,
  errorRow,
  PartnerError,
} from '../../src/contract/errors.ts';
import { type FieldPath, fieldName, type Problem, toFields } from '../../src/contract/problems.ts';
import exitCodes from './exit-codes.json' with { type: 'json' };
import fieldNames from './field-names.json' with { type: 'json' };

const CODES = Object.keys(ERRORS) as ErrorCode[];
const documentation = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

/** The rows of every table of docs/errors.md whose first cell matches `first`, as their cells. */
function documented(first: RegExp): string[][] {
  return documentation
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([cell]) => first.test(cell ?? ''));
}

const codeRows = documented(/^`[A-Z_]+`$/);
const exitRows = documented(/^\d+$/);

describe('docs/errors.md and the error table list the same', () => {
  it('codes, each once', () => {
    const codes = codeRows.map(([code]) => code?.slice(1, -1));
    assert.deepEqual(codes.toSorted(), CODES.toSorted());
  });

  it('HTTP statuses and exit codes', () => {
    for (const [code = '', status, exit, meaning, remedy] of codeRows) {
      const row = errorRow(code.slice(1, -1) as ErrorCode);
      assert.deepEqual([status, exit], [String(row.status ?? '–'), String(row.exit)], code);
      assert.ok(meaning !== '' && remedy !== '', code);
    }
  });

  it('errors behind each exit code, and what it means', () => {
    for (const [exit, meaning, errors] of exitRows) {
      const codes = CODES.filter((code) => errorRow(code).exit === Number(exit));
      assert.equal(errors, codes.map((code) => `\`${code}\``).join(', '));
      assert.notEqual(meaning, '');
    }
  });

  it('exit codes, each once and in order', () => {
    const used = new Set([...CODES.map((code) => errorRow(code).exit), ...Object.values(EXIT)]);
    const documentedExits = exitRows.map(([exit]) => Number(exit));
    const usedExits = [...used].toSorted((a, b) => a - b);
    assert.deepEqual(documentedExits, usedExits);
  });
});

it('the statuses are those of section 7', () => {
  const section7: readonly ErrorCode[] = ['INVALID_SERVICE_KEY', 'PAYMENT_METHOD_REQUIRED', 'NOT_FOUND'];
  const others: readonly ErrorCode[] = ['AGREEMENT_OUTDATED', 'JOB_FROZEN', 'VALIDATION_FAILED'];
  const statuses = [...section7, ...others].map((code) => errorRow(code).status);
  assert.deepEqual(statuses, [401, 402, 404, 409, 409, 422]);
});

describe('the exit codes that scripts hold', () => {
  for (const [exit, codes] of Object.entries(exitCodes.promised))
    it(`${exit}: ${codes.join(', ')}`, () => {
      for (const code of codes) assert.equal(new PartnerError(code as ErrorCode).exit, Number(exit));
    });
});

describe('an error of the table', () => {
  it('says what is known, and keeps the cause', () => {
    const cause = new Error('socket hang up');
    const error = new PartnerError('SERVER_FAILED', { message: 'it fell', status: 503, hint: 'wait', cause });
    assert.deepEqual([error.message, error.status, error.hint], ['it fell', 503, 'wait']);
    assert.equal(error.cause, cause);
    assert.equal(error.exit, 1);
  });

  it('is answered as code, message and, for a validation failure, fields (2.7)', () => {
    const expected = { error: { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.message } };
    assert.deepEqual(errorBody(new PartnerError('NOT_FOUND')), expected);
    const fields = { title: 'must be a string, not 5' };
    assert.deepEqual(errorBody(new PartnerError('VALIDATION_FAILED', { fields })).error.fields, fields);
  });
});

const invalid = (path: FieldPath, message: string, hint?: string): Problem => ({
  path,
  kind: 'invalid',
  message,
  ...(hint === undefined ? {} : { hint }),
});

describe('the name of a field in an error body (2.7)', () => {
  it('is its path', () => {
    for (const [path, name] of fieldNames.names as [FieldPath, string][]) assert.equal(fieldName(path), name);
  });
});

describe('the fields of an error body (2.7)', () => {
  it('name each problem with what to do about it', () =>
    assert.deepEqual(toFields([invalid(['titel'], 'is unknown', 'did you mean title?')]), {
      titel: 'is unknown; did you mean title?',
    }));

  it('name a field that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      assert.equal(JSON.stringify(toFields([invalid([name], 'is unknown')])), `{"${name}":"is unknown"}`);
  });
});
