/** From the longest to the shortest: the order in which a duration names them. */
const UNITS_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const UNITS = Object.entries(UNITS_MS);

const DURATION = new RegExp(`^${UNITS.map(([unit]) => `(?:(\\d+(?:\\.\\d+)?)${unit})?`).join('')}$`);

/** `500ms`, `30s`, `2m`, `36h`, `30d`, `2w`, or several as `1d12h`, in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const amounts = DURATION.exec(text.trim())?.slice(1);
  if (amounts === undefined || amounts.every((amount) => amount === undefined)) return undefined;
  const partsMs = UNITS.map(([, unitMs], index) => Number(amounts[index] ?? 0) * unitMs);
  const durationMs = Math.round(partsMs.reduce((sum, partMs) => sum + partMs, 0));
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}

/** A whole number of milliseconds, 0 or more, as `1d12h`, so that it can be read again; days are the longest unit. */
export function formatDuration(durationMs: number): string {
  let leftMs = durationMs;
  const parts = UNITS.slice(1).map(([unit, unitMs]) => {
    const amount = Math.floor(leftMs / unitMs);
    leftMs -= amount * unitMs;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
