import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readEmail } from '../../src/contract/application.ts';

describe('an email address', () => {
  const ONE_FORM: readonly (readonly [written: string, address: string])[] = [
    [' Ada.Lovelace+work@Example.COM ', 'ada.lovelace+work@example.com'],
    ['\uff21\uff24\uff21\uff20example\uff0ecom', 'ada@example.com'],
    ['ada@example.com.', 'ada@example.com'],
    ['ada@example\u3002com', 'ada@example.com'],
    ['zoe\u0308@M\u00dcLLER.example', 'zo\u00eb@xn--mller-kva.example'],
    ['zo\u00eb@XN--MLLER-KVA.example', 'zo\u00eb@xn--mller-kva.example'],
    ["o'brien!#$%&*/=?^_`{|}~-@a-b.example", "o'brien!#$%&*/=?^_`{|}~-@a-b.example"],
    ['\u7530\u4e2d@\u4f8b\u3048.\u30c6\u30b9\u30c8', '\u7530\u4e2d@xn--r8jz45g.xn--zckzah'],
  ];
  for (const [written, address] of ONE_FORM) {
    it(`has one form: ${JSON.stringify(written)} is ${address}`, () => {
      assert.deepEqual(readEmail(written), { address });
    });
  }

  it('is nothing else', () => {
    const none = ['', 'ada', 'ada@example', '@example.com', 'ada@', 'ada@@example.com', 'ada@b@example.com'];
    none.push('a da@example.com', '"ada"@example.com', 'ada(work)@example.com', 'Ada <ada@example.com>');
    none.push(
      'ada@example.com,eve@example.com',
      'ada@ex%61mple.com',
      'ada@example.com/x',
      'ada@example.com?x',
    );
    none.push('ada@example.com#x', 'ada@example.com:25', 'ada@[127.0.0.1]', 'ada@127.0.0.1', 'ada@0x7f.1');
    none.push(
      'ada@example..com',
      'ada@.example.com',
      'ada@example.com..',
      'ada@xn--a.example',
      'ada@\u00a8.example',
    );
    for (const text of none) assert.deepEqual(readEmail(text), { fault: 'must be an email address' }, text);
  });

  it('has at most 254 characters in that form too', () => {
    assert.match(JSON.stringify(readEmail(`${'\ufdfa'.repeat(20)}@example.com`)), /must be an email address/);
    assert.deepEqual(readEmail(`${'\u3304'.repeat(100)}@example.com`), {
      fault: 'has 412 characters; at most 254',
    });
  });

  it('read again is the same, and nothing in it is unseen', () => {
    const part = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(part, part, (local, domain) => {
        const read = readEmail(`${local}@${domain}.example`);
        if ('fault' in read) return;
        assert.deepEqual(readEmail(read.address), read);
        assert.doesNotMatch(read.address, /[\p{C}\p{Default_Ignorable_Code_Point}\s]/u);
      }),
      { numRuns: 2_000 },
    );
  });
});
