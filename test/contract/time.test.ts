import assert from 'node:assert/strict';
import { monthOf, parseDuration, parseMonth, parseTime } from '../../src/contract/time.ts';

describe('a time', () => {
  for (const [text, iso] of [
    ['2026-04-01', '2026-04-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-04-01T09:30', '2026-04-01T09:30:00.000Z'],
    [' 2026-04-01 09:30:15 ', '2026-04-01T09:30:15.000Z'],
    ['2026-04-01 09:30z', '2026-04-01T09:30:00.000Z'],
    ['2026-04-01T09:30:15.5Z', '2026-04-01T09:30:15.500Z'],
    ['2026-04-01T00:30+02:00', '2026-03-31T22:30:00.000Z'],
    ['2026-04-01 00:30 -0530', '2026-04-01T06:00:00.000Z'],
    ['2026-12-31T19:00:00-0500', '2027-01-01T00:00:00.000Z'],
    ['2026-04-01T09:30:15,123456789Z', '2026-04-01T09:30:15.123Z'],
    ['2000-02-29T23:59:59.999Z', '2000-02-29T23:59:59.999Z'],
  ] as const) {
    it(`${JSON.stringify(text)} is ${iso}, wherever the machine is`, () => {
      assert.equal(new Date(parseTime(text) ?? Number.NaN).toISOString(), iso);
    });
  }

  const NO_TIMES = [
    '',
    '2026',
    '2026-04',
    '2026-4-1',
    '2026-02-30',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
  ];
  NO_TIMES.push('2026-00-10', '0026-04-01', '2026-13-01', '2026-04-01T24:01', '2026-04-01T09:60Z');
  NO_TIMES.push('2026-04-01T09:30:60Z', '2026-04-01T09Z', '2026-04-01T09:30 CET', '2026-04-01T09:30Z;');
  NO_TIMES.push(
    '2026-04-01T9:30',
    '2026-04-01Z',
    '2026-04-01T09:30+99:00',
    '09:30',
    'tomorrow',
    '1767225600',
  );
  NO_TIMES.push('April 1, 2026');
  it('is nothing else, and no day or hour that does not exist', () => {
    for (const text of NO_TIMES) assert.equal(parseTime(text), undefined, text);
  });

  it('is the same on a machine whose clocks skip that hour', () => {
    const own = process.env.TZ;
    try {
      process.env.TZ = 'America/New_York';
      assert.equal(parseTime('2026-03-08 02:30:00'), Date.UTC(2026, 2, 8, 2, 30));
    } finally {
      if (own === undefined) delete process.env.TZ;
      else process.env.TZ = own;
    }
  });
});

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

  const NO_MONTHS = ['', '2026', '2026-3', '2026-13', '2026-00', '2026-03-01', '26-03', '1969-12', '9999-01'];
  it('is nothing else', () => {
    for (const text of [...NO_MONTHS, 'March']) assert.equal(parseMonth(text), undefined, text);
  });
});

describe('a duration', () => {
  for (const [text, durationMs] of [
    ['500ms', 500],
    ['30s', 30_000],
    ['1h', 3_600_000],
    ['0s', 0],
    ['1.5h', 5_400_000],
    [' 30s ', 30_000],
    ['2w', 1_209_600_000],
    ['1m30ms', 60_030],
    ['1w1d1h1m1s1ms', 694_861_001],
    ['104249991d', 104_249_991 * 86_400_000],
  ] as const) {
    it(`${JSON.stringify(text)} is ${durationMs} ms`, () => assert.equal(parseDuration(text), durationMs));
  }

  const NO_DURATIONS = [
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
  ];
  NO_DURATIONS.push('.5s', '5.s', '30sec', '٣s', 'Infinitys', '104249992d', `${'9'.repeat(400)}d`);
  it('is nothing else, and no more than a whole number can hold', () => {
    for (const text of NO_DURATIONS) assert.equal(parseDuration(text), undefined, text);
  });
});
