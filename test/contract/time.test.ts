import assert from 'node:assert/strict';
import { parseTime } from '../../src/contract/time.ts';

describe('a date or a time', () => {
  for (const [text, time] of [
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T09:30Z', '2026-12-01T09:30:00.000Z'],
    ['2026-12-01T09:30', '2026-12-01T09:30:00.000Z'],
    ['2026-12-01 09:30:15', '2026-12-01T09:30:15.000Z'],
    ['2026-12-01t09:30:15.5z', '2026-12-01T09:30:15.500Z'],
    ['2026-12-01T09:30:15,123456789Z', '2026-12-01T09:30:15.123Z'],
    ['2026-12-01T00:30:00+01:00', '2026-11-30T23:30:00.000Z'],
    ['2026-12-31T19:00:00-0500', '2027-01-01T00:00:00.000Z'],
    ['2026-12-01 09:30:15 +00:00', '2026-12-01T09:30:15.000Z'],
    [' 2028-02-29 ', '2028-02-29T00:00:00.000Z'],
    ['2000-02-29T23:59:59.999Z', '2000-02-29T23:59:59.999Z'],
    ['2026-04-01 00:30 -0530', '2026-04-01T06:00:00.000Z'],
  ] as const) {
    it(`\`${text}\` is ${time}`, () => assert.equal(new Date(parseTime(text) ?? 0).toISOString(), time));
  }

  for (const text of [
    '',
    'now',
    '12/01/2026',
    '1764580200',
    '2026-12',
    '2026-13-01',
    '2026-00-10',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-12-01T24:00Z',
    '2026-12-01T09:60Z',
    '2026-12-01T09:30:60Z',
    '2026-12-01T09Z',
    '2026-12-01T09:30+15:00',
    '2026-12-01T09:30 CET',
    '2026-12-01Z',
    '0026-12-01',
    '2026-12-01T09:30Z;',
    '2026',
    '2026-4-1',
    '2026-04-01T9:30',
    '2026-04-01T09:30+99:00',
    '09:30',
    'tomorrow',
    'April 1, 2026',
  ]) {
    it(`is not guessed at in \`${text}\``, () => assert.equal(parseTime(text), undefined));
  }

  it('is the same on a machine in another time zone', () => {
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
