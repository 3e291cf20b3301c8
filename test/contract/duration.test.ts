import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatDuration, parseDuration } from '../../src/contract/duration.ts';

describe('a duration is a number and its unit, in milliseconds', () => {
  const durations: readonly (readonly [string, number])[] = [
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['30d', 2_592_000_000],
    ['0s', 0],
    ['1.5h', 5_400_000],
    ['0.4ms', 0],
    [' 30s ', 30_000],
    ['2w', 1_209_600_000],
    ['1d12h', 129_600_000],
    ['1m30s', 90_000],
    ['1m30ms', 60_030],
    ['1w1d1h1m1s1ms', 694_861_001],
  ];
  for (const [text, durationMs] of durations) {
    it(`${JSON.stringify(text)} is ${durationMs} ms`, () => assert.equal(parseDuration(text), durationMs));
  }
});

describe('what is no duration is refused', () => {
  const others = [
    '',
    '30',
    's',
    '-1s',
    '30 s',
    '30S',
    '1e3s',
    '12h1d',
    '1h1h',
    '1d 12h',
    '1d-12h',
    'ms',
    '.5s',
    '5.s',
    '30sec',
    '٣s',
    'Infinitys',
  ];
  for (const text of others) {
    it(`${JSON.stringify(text)}`, () => assert.equal(parseDuration(text), undefined));
  }

  it('an amount past what a whole number can hold', () => {
    assert.equal(parseDuration('104249991d'), 104_249_991 * 86_400_000);
    assert.equal(parseDuration('104249992d'), undefined);
    assert.equal(parseDuration(`${'9'.repeat(400)}d`), undefined);
  });
});

describe('a duration that is written down', () => {
  for (const [durationMs, text] of [
    [0, '0s'],
    [500, '500ms'],
    [129_600_000, '1d12h'],
    [2_592_000_000, '30d'],
  ] as const) {
    it(`${durationMs} ms is ${text}`, () => assert.equal(formatDuration(durationMs), text));
  }

  it('is read as what it was', () => {
    fc.assert(
      fc.property(fc.nat(), (durationMs) => {
        assert.equal(parseDuration(formatDuration(durationMs)), durationMs);
      }),
    );
  });
});
