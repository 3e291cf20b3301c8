import { isLoopback } from '../../contract/loopback.ts';
import type { Arrival } from '../parts.ts';

/** Whether a request came to an address that only this machine reaches: whoever sent it runs here, as a browser does. */
export function cameToLoopback({ localAddress }: Arrival): boolean {
  const address = localAddress?.replace(/^::ffff:/, '');
  return address !== undefined && (address === '::1' || isLoopback(address));
}

/** The names that a request gives the engine: its line may name another than its header does. Empty for none. */
export function namesOf({ url, headers }: Request): string[] {
  return [url, `http://${headers.get('host') ?? new URL(url).host}`].map(hostnameOf);
}

/** The name of the host in an address; empty where it is none. */
export function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
