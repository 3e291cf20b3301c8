/** A month of the calendar, in UTC, as a half-open interval in epoch ms. */
export interface MonthSpan {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** `2026-03` as the interval it stands for; undefined for anything else. The years go from 1970 to 9998. */
export function parseMonth(text: string): MonthSpan | undefined {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text.trim());
  if (!match) return undefined;
  const [year, month] = [Number(match[1]), Number(match[2]) - 1];
  if (year < 1970 || year > 9998) return undefined;
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}

/** The month that a time (epoch ms) lies in: `2026-03`. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}
