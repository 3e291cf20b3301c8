import { type ErrorCode, PartnerError } from './errors.ts';
import reasons from './system-errors.json' with { type: 'json' };

const REASONS: Readonly<Record<string, string>> = reasons;

export function getErrorReason(error: unknown): string {
  return REASONS[getErrorCode(error)] ?? (error instanceof Error ? error.message : String(error));
}

/** Wraps a system error as `what: reason`. Returns a PartnerError unchanged. */
export function systemError(cause: unknown, code: ErrorCode, what: string, hint?: string): PartnerError {
  if (cause instanceof PartnerError) return cause;
  return new PartnerError(code, { message: `${what}: ${getErrorReason(cause)}`, hint, cause });
}

/** Throws OUTPUT_UNWRITABLE if the work fails with a system error. */
export function attemptWrite(what: string, work: () => void, hint?: string): void {
  const next = hint ?? 'check its permissions and the disk space';
  translateErrors(work, (cause) => systemError(cause, 'OUTPUT_UNWRITABLE', `can't write ${what}`, next));
}

/** Runs `work`. If it throws an error, throws `translate` of that error instead. */
export function translateErrors<T>(work: () => T, translate: (cause: unknown) => unknown): T {
  try {
    return work();
  } catch (cause) {
    throw translate(cause);
  }
}

/** Returns `'undefined'` for an error without a code. */
export function getErrorCode(error: unknown): string {
  return String((error as { code?: unknown } | null | undefined)?.code);
}

/** Prevents an endless loop, because causes can form a cycle. */
const CAUSES_MAX = 5;

export function listStacks(error: unknown): string[] {
  const stacks = [getStack(error)];
  for (let last = error; last instanceof Error && last.cause !== undefined; last = last.cause) {
    if (stacks.length > CAUSES_MAX) break;
    stacks.push(`caused by:\n${getStack(last.cause)}`);
  }
  return stacks;
}

function getStack(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  return error.stack ?? `${error.name}: ${error.message}`;
}

/** Returns the stack unless the error is a PartnerError, whose message is enough for an operator. */
export function describeFault(fault: unknown): string {
  return fault instanceof PartnerError ? fault.message : listStacks(fault).join('\n');
}

export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
