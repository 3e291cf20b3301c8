import assert from 'node:assert/strict';
import { monthOf, parseMonth } from '../../src/contract/month.ts';

describe('a month', () => {
  for (const [text, starts, ends] of [
    ['2026-03', '2026-03-01', '2026-04-01'],
    ['2028-02', '2028-02-01', '2028-03-01'],
    ['2026-12', '2026-12-01', '2027-01-01'],
    ['1970-01', '1970-01-01', '1970-02-01'],
    ['9998-12', '9998-12-01', '9999-01-01'],
  ] as const) {
    it(`${text} begins with its first day and has ended with the next month's, in UTC`, () => {
      const span = { startsAt: Date.parse(starts), endsAt: Date.parse(ends) };
      assert.deepEqual(parseMonth(text), span);
      assert.equal(monthOf(span.startsAt), text);
      assert.equal(monthOf(span.endsAt - 1), text);
    });
  }

  for (const text of [
    '',
    '2026',
    '2026-3',
    '2026-13',
    '2026-00',
    '2026-03-01',
    '26-03',
    '1969-12',
    '9999-01',
    'March',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseMonth(text), undefined));
  }
});
