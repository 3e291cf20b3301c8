import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

export interface Subnet {
  readonly address: string;
  readonly prefix: number;
}

export interface ClientFacts {
  readonly remoteAddress: string;
  readonly protocol: 'http' | 'https';
  readonly host?: string | undefined;
  readonly isProxied: boolean;
}

export type ClientFinder = (peer: string, headers: IncomingHttpHeaders) => ClientFacts;

/** Reads `X-Forwarded-For`, `-Proto` and `-Host` only from trusted proxies, because any client can send them. */
export function behindProxies(trusted: readonly Subnet[]): ClientFinder {
  const list = new BlockList();
  for (const { address, prefix } of trusted) list.addSubnet(address, prefix, getFamily(address));
  const isTrusted = (address: string) => list.check(address, getFamily(address));
  return (peer, headers) => {
    if (isIP(peer) === 0 || !isTrusted(peer)) {
      return { remoteAddress: peer, protocol: 'http', isProxied: false };
    }
    return {
      remoteAddress: findClientAddress(peer, listValues(headers['x-forwarded-for']), isTrusted),
      protocol: listValues(headers['x-forwarded-proto']).at(-1)?.toLowerCase() === 'https' ? 'https' : 'http',
      host: parseHost(listValues(headers['x-forwarded-host']).at(-1)),
      isProxied: headers['x-forwarded-for'] !== undefined,
    };
  };
}

/** Returns the last address that isn't a trusted proxy. Addresses before it can be forged. */
function findClientAddress(
  peer: string,
  forwarded: readonly string[],
  isTrusted: (address: string) => boolean,
): string {
  let nearest = peer;
  for (const text of forwarded.toReversed()) {
    const address = parseAddress(text);
    if (address === undefined) return nearest;
    nearest = address;
    if (!isTrusted(address)) return nearest;
  }
  return nearest;
}

function parseAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const bare = bracketed ?? text.replace(/^([\d.]+):\d+$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Returns values in the order sent. A trusted proxy appends its own value, so the last one counts. */
function listValues(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .flatMap((value) => value.trim() || []);
}

function parseHost(text: string | undefined): string | undefined {
  if (text === undefined || !/^[\w.:[\]-]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  return new URL(`http://${text}`).pathname === '/' ? text : undefined;
}

function getFamily(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
