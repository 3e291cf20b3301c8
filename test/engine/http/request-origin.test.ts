import assert from 'node:assert/strict';
import { senderOf } from '../../../src/engine/http/request-origin.ts';

describe('whom a request counts for', () => {
  const SENDERS: readonly (readonly [address: string | undefined, sender: string | undefined])[] = [
    [undefined, undefined],
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['unknown', 'unknown'],
  ];
  for (const [address, sender] of SENDERS) {
    it(`is ${sender} for ${address}`, () => {
      assert.equal(senderOf({ remoteAddress: address }), sender);
    });
  }
});
