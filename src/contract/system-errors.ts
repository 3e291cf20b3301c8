import reasons from './system-errors.json' with { type: 'json' };

const REASONS: Readonly<Record<string, string>> = reasons;

export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

/** `'undefined'` where it has none. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null | undefined)?.code);
}
