const TIME =
  /^([1-9]\d{3})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * An ISO 8601 date or time in epoch ms: `2026-12-01` (at 00:00), `2026-12-01T09:30Z`, `2026-12-01 09:30:00.250+01:00`.
 * Without an offset it is UTC, as budget windows are, whatever zone this machine is in. Undefined for anything else,
 * and for a day or an hour that does not exist.
 */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text.trim());
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
  const milliseconds = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3));
  const offsetMs = offsetOf(match[8]);
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDay || hour > 23 || minute > 59 || second > 59 || offsetMs === undefined) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offsetMs;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function offsetOf(text = 'Z'): number | undefined {
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 14 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** A time (epoch ms) as the contract and the database write it: ISO 8601, UTC, milliseconds. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
