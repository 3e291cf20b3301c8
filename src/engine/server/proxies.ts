import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Addresses that `prefix` leading bits of `address` name. */
export interface Subnet {
  readonly address: string;
  readonly prefix: number;
}

/** Who sent a request, and the address that it was sent to. */
export interface ClientFacts {
  readonly remoteAddress: string;
  readonly protocol: 'http' | 'https';
  /** The host that the client named, where a proxy says it. */
  readonly host?: string | undefined;
  /** Whether a trusted proxy passed the request on. */
  readonly isProxied: boolean;
}

export type ClientOf = (peer: string, headers: IncomingHttpHeaders) => ClientFacts;

/** Reads `X-Forwarded-For`, `-Proto` and `-Host`, which anybody can send, where a trusted proxy sent them. */
export function behindProxies(trusted: readonly Subnet[]): ClientOf {
  const list = new BlockList();
  for (const { address, prefix } of trusted) list.addSubnet(address, prefix, familyOf(address));
  const isTrusted = (address: string) => list.check(address, familyOf(address));
  return (peer, headers) => {
    if (isIP(peer) === 0 || !isTrusted(peer)) {
      return { remoteAddress: peer, protocol: 'http', isProxied: false };
    }
    return {
      remoteAddress: clientAddress(peer, valuesOf(headers['x-forwarded-for']), isTrusted),
      protocol: valuesOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase() === 'https' ? 'https' : 'http',
      host: hostOf(valuesOf(headers['x-forwarded-host']).at(-1)),
      isProxied: headers['x-forwarded-for'] !== undefined,
    };
  };
}

/** The nearest address that is no trusted proxy's: what stands before it, its sender may have made up. */
function clientAddress(
  peer: string,
  forwarded: readonly string[],
  isTrusted: (address: string) => boolean,
): string {
  let nearest = peer;
  for (const text of forwarded.toReversed()) {
    const address = addressIn(text);
    if (address === undefined) return nearest;
    nearest = address;
    if (!isTrusted(address)) return nearest;
  }
  return nearest;
}

/** Some proxies add the port, and brackets around IPv6. */
function addressIn(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const bare = bracketed ?? text.replace(/^([\d.]+):\d+$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** The last value is the one that the trusted proxy wrote itself. */
function valuesOf(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .join()
    .split(',')
    .flatMap((value) => value.trim() || []);
}

function hostOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^[\w.:[\]-]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  return new URL(`http://${text}`).pathname === '/' ? text : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
