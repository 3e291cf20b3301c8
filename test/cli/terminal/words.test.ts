import assert from 'node:assert/strict';
import { cents, distance, moment, word } from '../../../src/cli/terminal/words.ts';
import { salaryWords } from '../../../src/contract/words.ts';

describe('words of the contract', () => {
  it('are written as people write them, and unknown ones as they came', () => {
    assert.equal(word('FULL_TIME'), 'full-time');
    assert.equal(word('GIG'), 'GIG');
    assert.equal(word('constructor'), 'constructor');
    assert.equal(word(null), undefined);
  });

  it('give a salary as far as it is known', () => {
    assert.equal(salaryWords(85_000, 105_000, word('ANNUAL')), '$85,000 – $105,000 a year');
    assert.equal(salaryWords(25, 25, word('HOURLY')), '$25 an hour');
    assert.equal(salaryWords(25, undefined, word('HOURLY')), 'from $25 an hour');
    assert.equal(salaryWords(undefined, 25, undefined), 'up to $25');
    assert.equal(salaryWords(undefined, undefined, word('ANNUAL')), undefined);
    assert.equal(salaryWords(4, 5, word('A_GIG')), '$4 – $5 A_GIG');
  });

  it('give cents as dollars, and what is no amount as it came', () => {
    assert.equal(cents(1500), '$15.00');
    assert.equal(cents(1500.5), '1500.5');
    assert.equal(cents('1500'), '1500');
    assert.equal(cents(null), undefined);
  });

  it('give times in UTC, and what is no time as it came', () => {
    assert.equal(moment('2025-11-21T07:09:31+02:00'), '2025-11-21 05:09 UTC');
    assert.equal(moment('soon'), 'soon');
    assert.equal(moment(null), undefined);
  });

  it('give distances in the unit that fits, one or several', () => {
    const now = Date.parse('2025-11-21T00:00:00Z');
    const from = (minutes: number) => distance(new Date(now + minutes * 60_000).toISOString(), now);
    assert.equal(from(0), 'in less than a minute');
    assert.equal(from(1), 'in 1 minute');
    assert.equal(from(-45), '45 minutes ago');
    assert.equal(from(60), 'in 1 hour');
    assert.equal(from(23 * 60 + 45), 'in 1 day');
    assert.equal(from(-3 * 24 * 60), '3 days ago');
  });
});
