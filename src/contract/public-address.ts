import { BlockList, isIP, isIPv4 } from 'node:net';
import special from './special-addresses.json' with { type: 'json' };

/** The last 32 bits of an address in it are an IPv4 address. */
const NAT64 = '64:ff9b::';

let lists: ReturnType<typeof openLists> | undefined;

function openLists() {
  const [ipv4, ipv6, nat64, isNat64] = [new BlockList(), new BlockList(), new BlockList(), new BlockList()];
  isNat64.addSubnet(NAT64, 96, 'ipv6');
  for (const [address, bits] of special.ipv4 as [string, number][]) {
    ipv4.addSubnet(address, bits, 'ipv4');
    nat64.addSubnet(NAT64 + address, 96 + bits, 'ipv6');
  }
  for (const [address, bits] of special.ipv6 as [string, number][]) ipv6.addSubnet(address, bits, 'ipv6');
  return { ipv4, ipv6, nat64, isNat64 };
}

/**
 * True for an IP address of the public internet: not this machine, a private network, a link or a cloud's metadata.
 * Untrusted URLs, such as redirects, may only lead to these.
 */
export function isPublicAddress(address: string): boolean {
  lists ??= openLists();
  if (isIPv4(address)) return !lists.ipv4.check(address);
  const bare = address.replace(/%.*/, '');
  const special = lists.isNat64.check(bare, 'ipv6') ? lists.nat64 : lists.ipv6;
  return isIP(bare) === 6 && !special.check(bare, 'ipv6');
}
