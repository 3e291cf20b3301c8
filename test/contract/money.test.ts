import assert from 'node:assert/strict';
import { formatCents, formatDollars, parseDollars } from '../../src/contract/words.ts';
import money from './money.json' with { type: 'json' };

it('cents are shown as dollars and cents, with a separator for thousands, and the sign in front', () => {
  for (const [cents, text] of Object.entries(money.shownCents))
    assert.equal(formatCents(Number(cents)), text);
});

it('whole dollars are shown without cents, with a separator for thousands, and the sign in front', () => {
  for (const [dollars, text] of Object.entries(money.shownDollars))
    assert.equal(formatDollars(Number(dollars)), text);
});

describe('dollars as people type them', () => {
  for (const unit of ['cents', 'dollars'] as const) {
    for (const [text, value] of Object.entries<number | null>(money.typed[unit]))
      it(`${JSON.stringify(text)} are ${value === null ? 'no amount' : `${value} ${unit}`}`, () => {
        const amount = parseDollars(text, unit);
        assert.equal('value' in amount ? amount.value : null, value);
      });
  }
});
