import { ERRORS, type ErrorRow, EXIT } from '../../src/contract/errors.ts';

/** Lists all error codes, and the exit codes of outcomes that aren't a single error. */
export function errorTable(): string {
  const rows = Object.entries<ErrorRow>(ERRORS).map(([code, { status, exit }]) => [
    code,
    String(status ?? '-'),
    String(exit),
  ]);
  const outcomes = Object.entries(EXIT).map(([outcome, exit]) => [outcome, '', String(exit)]);
  return [['ERROR', 'HTTP', 'EXIT'], ...rows, [], ['OUTCOME', '', 'EXIT'], ...outcomes]
    .map(([name = '', status = '', exit = '']) => `${name.padEnd(26)}${status.padEnd(6)}${exit}`.trimEnd())
    .join('\n')
    .concat('\n');
}
