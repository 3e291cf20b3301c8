import assert from 'node:assert/strict';
import { formatCents, formatDollars, type MoneyUnit, parseDollars } from '../../src/contract/words.ts';

describe('cents are shown as dollars and cents', () => {
  const shown: readonly (readonly [number, string])[] = [
    [0, '$0.00'],
    [1, '$0.01'],
    [9, '$0.09'],
    [10, '$0.10'],
    [99, '$0.99'],
    [100, '$1.00'],
    [1_500, '$15.00'],
    [99_999, '$999.99'],
    [100_000, '$1,000.00'],
    [123_456_789, '$1,234,567.89'],
    [-5, '-$0.05'],
    [-250_000, '-$2,500.00'],
    [Number.MAX_SAFE_INTEGER, '$90,071,992,547,409.91'],
  ];
  it('with a separator for thousands, and the sign in front', () => {
    for (const [cents, text] of shown) assert.equal(formatCents(cents), text);
  });
});

describe('whole dollars are shown without cents', () => {
  const shown: readonly (readonly [number, string])[] = [
    [0, '$0'],
    [42, '$42'],
    [999, '$999'],
    [1_000, '$1,000'],
    [85_000, '$85,000'],
    [1_234_567, '$1,234,567'],
    [-1_000, '-$1,000'],
    [Number.MAX_SAFE_INTEGER, '$9,007,199,254,740,991'],
  ];
  it('with a separator for thousands, and the sign in front', () => {
    for (const [dollars, text] of shown) assert.equal(formatDollars(dollars), text);
  });
});

describe('dollars as people type them', () => {
  const typed: readonly (readonly [text: string, unit: MoneyUnit, value: number | undefined])[] = [
    ['0', 'cents', 0],
    ['1500', 'cents', 150_000],
    [' $1,500.00 ', 'cents', 150_000],
    ['15.5', 'cents', 1_550],
    ['0.01', 'cents', 1],
    ['18.5k', 'dollars', 18_500],
    ['$ 85k', 'dollars', 85_000],
    ['34.50', 'dollars', undefined],
    ['90,071,992,547,409.91', 'cents', Number.MAX_SAFE_INTEGER],
    ['90071992547409.92', 'cents', undefined],
    ['', 'cents', undefined],
    ['-1', 'cents', -100],
    ['1.005', 'cents', undefined],
    ['1,50', 'cents', undefined],
    ['12,3456', 'cents', undefined],
    ['1e3', 'cents', undefined],
    ['١٥', 'cents', undefined],
    ['15 €', 'cents', undefined],
  ];
  for (const [text, unit, value] of typed) {
    it(`${JSON.stringify(text)} are ${value === undefined ? 'no amount' : `${value} ${unit}`}`, () => {
      const amount = parseDollars(text, unit);
      assert.equal('value' in amount ? amount.value : undefined, value);
    });
  }
});
