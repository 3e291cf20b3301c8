import type { PlainRequest } from '../../contract/http-messages.ts';
import { isLoopback } from '../../contract/uri.ts';
import type { RequestOrigin } from '../parts.ts';

export function cameToLoopback({ localAddress }: RequestOrigin): boolean {
  const address = localAddress?.replace(/^::ffff:/, '');
  return address !== undefined && (address === '::1' || isLoopback(address));
}

/** Returns what rate limits count as one client: an IPv4 address, or the /64 network of an IPv6 address. */
export function findSender({ remoteAddress }: RequestOrigin): string | undefined {
  const address = remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!address?.includes(':')) return address;
  const [front = [], back = []] = address
    .replace(/%.*/, '')
    .split('::')
    .map((half) => half.split(':').flatMap((group) => (group.includes('.') ? [group, group] : group || [])));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}

/** True if the browser reports a page of another origin. Pages can't change `Sec-Fetch-Site`. */
export function isOfOtherOrigin({ headers }: PlainRequest): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/** Returns the host names in the request's URL and its `Host` header, which can differ. */
export function listHostnames({ url, headers }: PlainRequest): string[] {
  return [url, `http://${headers.get('host') ?? new URL(url).host}`].map(parseHostname);
}

export function parseHostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
