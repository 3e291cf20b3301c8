import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readEmail } from '../../src/contract/application.ts';
import { anyText } from '../any-text.ts';
import emailAddresses from './email-addresses.json' with { type: 'json' };

describe('an email address', () => {
  for (const [written, address] of Object.entries(emailAddresses.oneForm))
    it(`has one form: ${JSON.stringify(written)} is ${address}`, () =>
      assert.deepEqual(readEmail(written), { address }));

  it('is nothing else', () => {
    for (const text of emailAddresses.none)
      assert.deepEqual(readEmail(text), { fault: 'must be an email address' }, text);
  });

  it('has at most 254 characters in that form too', () => {
    assert.match(JSON.stringify(readEmail(`${'\ufdfa'.repeat(20)}@example.com`)), /must be an email address/);
    const expected = { fault: 'must be at most 254 characters, got 412' };
    assert.deepEqual(readEmail(`${'\u3304'.repeat(100)}@example.com`), expected);
  });

  it('read again is the same, and nothing in it is unseen', () => {
    const part = anyText({ minLength: 1, maxLength: 8 });
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
