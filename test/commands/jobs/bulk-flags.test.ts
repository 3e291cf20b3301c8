import assert from 'node:assert/strict';
import { adoptions, formatApplyCommand, parseRate } from '../../../src/commands/jobs/bulk-flags.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

describe('the flags of plan and apply', () => {
  it('give the apply to be typed next without what settles single creates and what plan alone has', () => {
    const typed =
      'jobs --adopt a.json=1 --publish --exit-code --resend b.json --adopt=c.json=3 -y --fail-on-drift';
    assert.equal(formatApplyCommand(typed.split(' ')), 'partner jobs apply jobs --publish -y');
  });

  it('take a key with `=` in it: the last one stands before the id', () =>
    assert.deepEqual([...adoptions(['a=b.json#1=12'])], [['a=b.json#1', 12]]));

  for (const pair of ['a.json', 'a.json=', '=12', 'a.json=x', 'a.json=0', 'a.json=9007199254740993'])
    it(`take no \`--adopt ${pair}\``, () => assert.throws(() => adoptions([pair]), isUsage));

  it('take a rate with and without its unit, and no other unit', () => {
    assert.deepEqual([parseRate('20/s'), parseRate('0.5')], [20, 0.5]);
    for (const given of ['0', '-1/s', '20/m', '', 's']) assert.throws(() => parseRate(given), isUsage);
  });
});

function isUsage(error: unknown): boolean {
  return error instanceof PartnerError && error.code === 'USAGE';
}
