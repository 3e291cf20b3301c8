import { PartnerError } from '../../contract/errors.ts';
import { getErrorCode } from '../../contract/system-errors.ts';
import { databaseUnusable } from './address.ts';
import hints from './postgres-hints.json' with { type: 'json' };

const CERTIFICATE = /CERT|SIGNATURE|ISSUER/;

function findSqlState(error: unknown): string | undefined {
  return error instanceof Error && 'severity' in error ? getErrorCode(error) : undefined;
}

/** True if the transaction should run again: another one conflicted, or a migration outdated its query plan. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(findSqlState(error) ?? '') || isPlanOutdated(error);
}

export function isPlanOutdated(error: unknown): boolean {
  return (
    findSqlState(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'
  );
}

function isFatal(error: unknown): boolean {
  return (error as { severity?: string }).severity === 'FATAL';
}

/** True if the connection can't be used after this error. Errors without an SQLSTATE always count. */
export function isConnectionLost(error: unknown): boolean {
  const state = findSqlState(error);
  // 25006 means a read-only server. A primary that became a replica still responds on its old connections.
  return state === undefined || isFatal(error) || /^(?:08|57P|25006|25P03|XX)/.test(state);
}

/** Returns DATABASE_UNUSABLE if the server, the network or a missing grant is at fault, otherwise `error`. */
export function translatePostgresError(error: unknown, database: string): unknown {
  const state = findSqlState(error);
  const isOfQuery =
    state === undefined ? error instanceof TypeError : !isFatal(error) && findStateHint(state) === undefined;
  return isOfQuery ? error : unreachable(error, database, 'broken');
}

export function unreachable(error: unknown, database: string, otherwise?: keyof typeof hints.connection) {
  const [code, state] = [getErrorCode(error), findSqlState(error)];
  // If several addresses of a host refuse the connection, the message of Node's error is empty.
  const said = error instanceof Error ? error.message || code : '';
  const known =
    state === undefined
      ? (findHint(code) ?? (CERTIFICATE.test(code) ? hints.untrusted : undefined))
      : findStateHint(state);
  if (known === undefined && otherwise !== undefined) {
    const { reason, hint } = hints.connection[otherwise];
    return databaseUnusable(database, said === '' ? reason : `${reason} (${said})`, { hint, cause: error });
  }
  // An error without a hint is likely missing TLS support or a missing password, which pg reports without a code.
  return databaseUnusable(database, said, { hint: known ?? hints.login, cause: error });
}

export function conflictPersists(error: unknown): PartnerError {
  return new PartnerError('DATABASE_UNUSABLE', {
    message: 'a transaction kept failing because of concurrent transactions',
    hint: 'try again. If the error persists, run fewer processes at once',
    cause: error,
  });
}

/** Looks up the whole SQLSTATE first, then its class. */
function findStateHint(state: string): string | undefined {
  return findHint(state) ?? findHint(state.slice(0, 2));
}

function findHint(code: string): string | undefined {
  return hints.byCode.find(({ codes }) => codes.includes(code))?.hint;
}
