const DAY = String.raw`(\d{4}-\d{2}-\d{2})`;
const TIME_OF_DAY = String.raw`(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)`;
const ZONE = String.raw`(Z|[+-]\d{2}:?\d{2})`;
const ISO_TIME = new RegExp(`^${DAY}(?:[T ]${TIME_OF_DAY} ?${ZONE}?)?$`, 'i');

/**
 * An ISO 8601 date or time in epoch ms: `2026-04-01`, `2026-04-01 09:30`, `2026-04-01T09:30:00.000+02:00`. Where it
 * names no zone it is UTC, whatever the machine's is. Undefined for anything else, a 30th of February included.
 */
export function parseTime(text: string): number | undefined {
  const [, day, timeOfDay = '00:00', zone = 'Z'] = ISO_TIME.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00Z`);
  // Date.parse takes the 30th of February for the 2nd of March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  const time = Date.parse(`${day}T${timeOfDay}${zone.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(time) ? undefined : time;
}
