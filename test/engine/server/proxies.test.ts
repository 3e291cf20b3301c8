import assert from 'node:assert/strict';
import { parseSubnet } from '../../../src/commands/engine/serve-settings.ts';
import { behindProxies, type Subnet } from '../../../src/engine/server/proxies.ts';
import noProxies from './no-proxies.json' with { type: 'json' };
import cases from './proxies.json' with { type: 'json' };

function seen(trusted: string, peer: string, headers: Record<string, string> = {}) {
  const subnets = trusted.split(' ').map((text) => parseSubnet(text) as Subnet);
  return behindProxies(subnets)(peer, headers);
}

const forwardedFor = (addresses: string) => ({ 'x-forwarded-for': addresses });
const PROXY = '10.0.0.1';

describe('who sent a request, behind proxies', () => {
  it('is the peer, over http, whatever the headers of an untrusted one say', () => {
    const forged = {
      ...forwardedFor('10.0.0.9'),
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'bank.example',
    };
    for (const peer of ['192.0.2.7', '2001:db8::7', 'unknown', '10.0.1.1']) {
      const is = { remoteAddress: peer, protocol: 'http', isProxied: false };
      assert.deepEqual(seen('10.0.0.0/24 fd00::/8', peer, forged), is);
    }
  });

  for (const { what, trusted = PROXY, peer = PROXY, header, address } of cases)
    it(`is ${what}`, () => {
      const { remoteAddress, isProxied } = seen(trusted, peer, forwardedFor(header));
      assert.deepEqual([remoteAddress, isProxied], [address, true]);
    });

  it('came over https where the nearest proxy says so last, and to the host that it names', () => {
    const said = (protocol: string, host: string) => {
      const headers = { 'x-forwarded-proto': protocol, 'x-forwarded-host': host };
      const client = seen(PROXY, PROXY, { ...forwardedFor('192.0.2.7'), ...headers });
      return [client.protocol, client.host];
    };
    assert.deepEqual(said('HTTPS', 'jobs.example:8443'), ['https', 'jobs.example:8443']);
    assert.deepEqual(said('https, http', 'evil.example, jobs.example'), ['http', 'jobs.example']);
    assert.deepEqual(said('gopher', '[2001:db8::1]:80'), ['http', '[2001:db8::1]:80']);
  });

  it('came to no host where the header names none', () => {
    for (const host of ['', 'a b', 'x/../y', 'user@host', 'h:99999', 'a\r\nb', '?', ':', '#x'])
      assert.equal(seen(PROXY, PROXY, { 'x-forwarded-host': host }).host, undefined, host);
  });
});

describe('an address of trusted proxies', () => {
  it('is one address, or all of a subnet', () => {
    assert.deepEqual(parseSubnet('10.0.0.1'), { address: '10.0.0.1', prefix: 32 });
    assert.deepEqual(parseSubnet(' fd00::/8 '), { address: 'fd00::', prefix: 8 });
    assert.deepEqual(parseSubnet('::1'), { address: '::1', prefix: 128 });
    assert.deepEqual(parseSubnet('0.0.0.0/0'), { address: '0.0.0.0', prefix: 0 });
  });

  it('is nothing else', () => {
    for (const text of noProxies.texts) assert.equal(parseSubnet(text), undefined, text);
  });
});
