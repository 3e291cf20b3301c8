import { randomUUID } from 'node:crypto';

/** A UUIDv7: keys of one time lie side by side in a server's index, where random ones would touch a page each. */
export function newIdempotencyKey(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
