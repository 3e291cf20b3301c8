import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { replaceEntries, sameEntries } from '../../src/contract/entries.ts';

type Qualification = { id: string; text: string; order: number };

const qualifications = (prefix: string) =>
  fc
    .array(fc.record({ text: fc.constantFrom('a', 'b', 'c'), order: fc.nat(2) }), { maxLength: 6 })
    .map((entries) => entries.map((entry, index) => ({ id: `${prefix}${index}`, ...entry })));

describe('the entries of a set', () => {
  it('are replaced by what was sent: the same content in the same order, whatever was there', () =>
    fc.assert(
      fc.property(qualifications('old'), qualifications('new'), (before, sent) => {
        const content = ({ text, order }: Qualification) => ({ text, order });
        assert.deepEqual(replaceEntries(before, sent).map(content), sent.map(content));
      }),
    ));

  it('never share an id, also where two have the same content', () =>
    fc.assert(
      fc.property(qualifications('old'), qualifications('new'), (before, sent) => {
        const ids = replaceEntries(before, sent).map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
      }),
    ));

  it('all keep their ids when they are sent again in another order', () =>
    fc.assert(
      fc.property(qualifications('old'), (before) => {
        const again = before.toReversed().map((entry, index) => ({ ...entry, id: `new${index}` }));
        const kept = replaceEntries(before, again).map(({ id }) => id);
        assert.deepEqual(kept.toSorted(), before.map(({ id }) => id).toSorted());
        assert.ok(sameEntries(before, again));
      }),
    ));

  it('are not the same where one is missing, added or changed', () => {
    const before = [
      { id: '1', text: 'a', order: 1 },
      { id: '2', text: 'a', order: 1 },
    ];
    assert.equal(sameEntries(before, before.slice(1)), false);
    assert.equal(sameEntries(before.slice(1), before), false);
    assert.equal(sameEntries(before, [...before.slice(1), { id: '3', text: 'a', order: 2 }]), false);
  });
});
