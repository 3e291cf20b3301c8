const UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `30s`, `2m`, `1h`, `30d` in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  if (!match) return undefined;
  const [, amount, unit] = match;
  const durationMs = Math.round(Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}
