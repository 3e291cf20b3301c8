/** A time (epoch ms) as the contract and the database write it: ISO 8601, UTC, milliseconds. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
