const TIME =
  /^([1-9]\d{3}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Parses ISO 8601 to epoch ms. The default offset is UTC, as for budget windows. Undefined for an invalid day. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, day, clock = '00:00', seconds = ':00', fraction = '', offset = 'Z'] = match;
  const written = `${day}T${clock}${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const utc = Date.parse(`${written}Z`);
  // `Date.parse` reads February 30 as March 2.
  if (Number.isNaN(utc) || isoTime(utc) !== `${written}Z`) return undefined;
  const time = Date.parse(written + offset.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? undefined : time;
}

/** Formats epoch ms as ISO 8601 in UTC with milliseconds, as in the contract and the database. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Parses `2026-03` to a half-open interval in epoch ms (UTC). Undefined outside of the years 1970 to 9998. */
export function parseMonth(text: string) {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text.trim());
  if (!match) return undefined;
  const [year, month] = [Number(match[1]), Number(match[2]) - 1];
  if (year < 1970 || year > 9998) return undefined;
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}

export function formatMonth(time: number): string {
  return isoTime(time).slice(0, 7);
}

const UNITS = Object.entries({ w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 });

const DURATION = new RegExp(`^${UNITS.map(([unit]) => `(?:(\\d+(?:\\.\\d+)?)${unit})?`).join('')}$`);

/** Parses `500ms`, `30s`, `36h`, `2w` or `1d12h` to milliseconds. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const amounts = DURATION.exec(text.trim())?.slice(1);
  if (amounts === undefined || amounts.every((amount) => amount === undefined)) return undefined;
  const partsMs = UNITS.map(([, unitMs], index) => Number(amounts[index] ?? 0) * unitMs);
  const durationMs = Math.round(partsMs.reduce((sum, partMs) => sum + partMs, 0));
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}

export function formatDuration(durationMs: number): string {
  let leftMs = durationMs;
  const parts = UNITS.slice(1).map(([unit, unitMs]) => {
    const amount = Math.floor(leftMs / unitMs);
    leftMs -= amount * unitMs;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
