import { CONTENT_REFUSALS, PartnerError } from '../contract/errors.ts';
import { maskKey } from '../contract/mask.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { RetryReason } from './retry.ts';

export function withRetryAfterHint(error: PartnerError, retryAfterMs: number | undefined): PartnerError {
  if (retryAfterMs === undefined || retryAfterMs === 0) return error;
  const seconds = Math.ceil(retryAfterMs / 1000);
  return error.withHint(
    `the server asks to wait ${seconds} s: try again then, or give it longer with --timeout`,
  );
}

/** A create that the server may have carried out is OUTCOME_UNKNOWN, never failed. No `reason` means a refusal. */
export function finalError(
  operation: OperationName,
  error: PartnerError,
  reason: RetryReason | undefined,
  { mayHaveRun, isKeyHonoured }: { readonly mayHaveRun: boolean; readonly isKeyHonoured: boolean },
): PartnerError {
  const isCreate = OPERATIONS[operation].repeatable !== 'always';
  if (!isCreate || !mayHaveRun) return error.with({ mayHaveCreated: false });
  if (reason === undefined && isKeyHonoured && CONTENT_REFUSALS.includes(error.code)) return error;
  if (reason === 'failed' || error.code === 'INTERRUPTED') {
    return error.with({ hint: undefined, mayHaveCreated: true });
  }
  return new PartnerError('OUTCOME_UNKNOWN', {
    message: `${error.message}; the job may or may not exist now`,
    status: error.status,
    mayHaveCreated: true,
    cause: error.cause,
  });
}

export function withoutKey(error: PartnerError, key: string): PartnerError {
  const { message, fields, hint, serverCode } = error;
  const masked = (text: string): string => maskKey(text, key);
  return error.with({
    message: masked(message),
    fields: fields && Object.fromEntries(Object.entries(fields).map((entry) => entry.map(masked))),
    hint: hint && masked(hint),
    serverCode: serverCode && masked(serverCode),
  });
}
