import { isLoopback } from '../../contract/uri.ts';
import type { RequestOrigin } from '../parts.ts';

export function cameToLoopback({ localAddress }: RequestOrigin): boolean {
  const address = localAddress?.replace(/^::ffff:/, '');
  return address !== undefined && (address === '::1' || isLoopback(address));
}

/** Whose rate a request counts against: the IPv4 address, or the /64 of the IPv6 address that a network is given. */
export function senderOf({ remoteAddress }: RequestOrigin): string | undefined {
  const address = remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!address?.includes(':')) return address;
  const [front = [], back = []] = address
    .replace(/%.*/, '')
    .split('::')
    .map((half) => half.split(':').flatMap((group) => (group.includes('.') ? [group, group] : group || [])));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}

/** Whether the browser says, in a header that no page can change, that a page of another origin sent the request. */
export function isOfOtherOrigin({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/** The host names in a request's line and in its header, which may differ. Empty for none. */
export function hostnamesIn({ url, headers }: Request): string[] {
  return [url, `http://${headers.get('host') ?? new URL(url).host}`].map(hostnameOf);
}

export function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
