import { type ErrorCode, PartnerError } from './errors.ts';
import reasons from './system-errors.json' with { type: 'json' };

const REASONS: Readonly<Record<string, string>> = reasons;

export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

/** Wraps a system error as `what: reason`. Returns a PartnerError unchanged. */
export function systemError(cause: unknown, code: ErrorCode, what: string, hint?: string): PartnerError {
  if (cause instanceof PartnerError) return cause;
  return new PartnerError(code, { message: `${what}: ${reasonOf(cause)}`, hint, cause });
}

/** `'undefined'` where it has none. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null | undefined)?.code);
}
