import { PartnerError } from '../contract/errors.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { NetworkFailure } from './failure.ts';
import type { RetryReason } from './retry.ts';

const PROXY_HINT = 'that is the proxy of HTTPS_PROXY or HTTP_PROXY: mend it, or name the host in NO_PROXY';
const SHOWN_CHARACTERS = 60;

/** UNREACHABLE for a call that got no answer from `url`. */
export function unreachable(url: string, failure: NetworkFailure, cause: unknown): PartnerError {
  const { protocol, hostname, port } = new URL(url);
  const wantedPort = Number(port) || (protocol === 'https:' ? 443 : 80);
  const wanted = `${hostname}:${wantedPort}`;
  const { words, hint, tried } = failure;
  const isElsewhere = tried !== undefined && tried !== wanted && tried !== hostname;
  const isProxied = isElsewhere && !tried.endsWith(`:${wantedPort}`);
  return new PartnerError('UNREACHABLE', {
    message: `cannot reach ${wanted}: ${words}${isElsewhere ? ` (tried ${tried})` : ''}`,
    hint: hint ?? (isProxied ? PROXY_HINT : undefined),
    cause,
  });
}

/** An error that ends a call with how long the server wants to be left alone, where it said so. */
export function withPatience(error: PartnerError, retryAfterMs: number | undefined): PartnerError {
  if (retryAfterMs === undefined || retryAfterMs === 0) return error;
  const seconds = Math.ceil(retryAfterMs / 1000);
  return withHint(
    error,
    `the server asks to wait ${seconds} s: try again then, or give it longer with --timeout`,
  );
}

export interface EndedCall {
  readonly operation: OperationName;
  readonly body?: object;
}

/**
 * The error of a call that is not made again. A create that the server may have carried out is never
 * reported as failed: it is OUTCOME_UNKNOWN, with what to look for before it is made once more.
 */
export function concluded(
  { operation, body }: EndedCall,
  error: PartnerError,
  reason: RetryReason,
  mayHaveRun: boolean,
): PartnerError {
  if (OPERATIONS[operation].repeatable === 'always') return error;
  if (!mayHaveRun) return reason === 'failed' ? withHint(error, lookFirst(body)) : error;
  if (error.code === 'INTERRUPTED') return withHint(error, lookFirst(body));
  return new PartnerError('OUTCOME_UNKNOWN', {
    message: `${error.message}; the job may or may not exist now`,
    hint: lookFirst(body),
    status: error.status,
    cause: error.cause,
  });
}

/** How to find out whether a create was carried out. */
export function lookFirst(body: object | undefined): string {
  const { opportunityId, title } = (body ?? {}) as { opportunityId?: unknown; title?: unknown };
  const sign = [
    ['opportunityId', opportunityId],
    ['title', title],
  ].find(([, value]) => typeof value === 'string' && value.trim() !== '');
  const which = sign === undefined ? 'it' : `${sign[0]} ${JSON.stringify(shortened(String(sign[1])))}`;
  return `look for ${which} in \`partner jobs list\` before you create it again`;
}

/** The same error with another thing to do next. */
export function withHint(error: PartnerError, hint: string): PartnerError {
  const { code, message, fields, status, serverCode } = error;
  return new PartnerError(code, { message, fields, status, serverCode, hint, cause: error.cause });
}

function shortened(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
