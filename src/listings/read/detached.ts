/**
 * The same value in memory of its own. A part of a text can keep the whole text alive: what outlives a
 * listing must not hold the line it was read from.
 */
export function detached<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
