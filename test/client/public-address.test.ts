import assert from 'node:assert/strict';
import { isPublicAddress } from '../../src/client/public-document.ts';

const PUBLIC = '1.1.1.1 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700::1111 64:ff9b::1.1.1.1'.split(' ');
const OTHERS =
  '0.0.0.0 10.0.0.1 100.64.0.1 127.8.9.1 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:a00:1 fe80::1 fe80::1%eth0 fd00:ec2::254 fc00::1 ff02::1 2002:7f00:1:: 2001::1 2001:db8::1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 example.com';

describe('an address of the public internet', () => {
  it('is told from this machine, private networks, links and metadata, in every form', () => {
    assert.deepEqual(PUBLIC.filter(isPublicAddress), PUBLIC);
    assert.deepEqual(OTHERS.split(' ').filter(isPublicAddress), []);
  });
});
