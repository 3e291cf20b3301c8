import { type ErrorCode, type ErrorDetails, PartnerError } from '../contract/errors.ts';
import { maskKey } from '../contract/mask.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { NetworkFailure } from './failure.ts';
import type { RetryReason } from './retry.ts';

const PROXY_HINT =
  'that is the proxy of the profile, PARTNER_PROXY, HTTPS_PROXY or HTTP_PROXY: mend it, or name the host in NO_PROXY';

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

/** The refusals of a create's content: under an honoured key they say that no attempt before made the job. */
const SETTLING: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYMENT_METHOD_REQUIRED',
  'AGREEMENT_OUTDATED',
];

/**
 * The error of a call that is not made again; `reason` is undefined for a refusal. A create that the server
 * may have carried out is never reported as failed: it is OUTCOME_UNKNOWN; what to look for is for the
 * caller to say, who knows where. `isKeyHonoured`: the server tells a repeated create by its key (decision 27).
 */
export function concluded(
  operation: OperationName,
  error: PartnerError,
  reason: RetryReason | undefined,
  { mayHaveRun, isKeyHonoured }: { readonly mayHaveRun: boolean; readonly isKeyHonoured: boolean },
): PartnerError {
  const isCreate = OPERATIONS[operation].repeatable !== 'always';
  if (!isCreate || !mayHaveRun) return withDetails(error, { mayHaveCreated: false });
  if (reason === undefined && isKeyHonoured && SETTLING.includes(error.code)) return error;
  if (reason === 'failed' || error.code === 'INTERRUPTED') {
    return withDetails(error, { hint: undefined, mayHaveCreated: true });
  }
  return new PartnerError('OUTCOME_UNKNOWN', {
    message: `${error.message}; the job may or may not exist now`,
    status: error.status,
    mayHaveCreated: true,
    cause: error.cause,
  });
}

/** The same error with another thing to do next. */
function withHint(error: PartnerError, hint: string): PartnerError {
  return withDetails(error, { hint });
}

/** The same error, and what more is known of it. */
export function withDetails(error: PartnerError, details: ErrorDetails): PartnerError {
  const { code, message, fields, status, serverCode, hint, mayHaveCreated, cause } = error;
  const known = { message, fields, status, serverCode, hint, mayHaveCreated, cause };
  return new PartnerError(code, { ...known, ...details });
}

/** The same error without the key, which a server may repeat in what it says. */
export function withoutKey(error: PartnerError, key: string): PartnerError {
  const { message, fields, hint, serverCode } = error;
  const masked = (text: string): string => maskKey(text, key);
  return withDetails(error, {
    message: masked(message),
    fields: fields && Object.fromEntries(Object.entries(fields).map((entry) => entry.map(masked))),
    hint: hint && masked(hint),
    serverCode: serverCode && masked(serverCode),
  });
}
