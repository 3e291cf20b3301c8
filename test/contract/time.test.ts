import assert from 'node:assert/strict';
import { parseTime } from '../../src/contract/time.ts';

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

  for (const text of [
    '',
    '2026',
    '2026-04',
    '2026-4-1',
    '2026-02-30',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-00-10',
    '0026-04-01',
    '2026-13-01',
    '2026-04-01T24:01',
    '2026-04-01T09:60Z',
    '2026-04-01T09:30:60Z',
    '2026-04-01T09Z',
    '2026-04-01T09:30 CET',
    '2026-04-01T09:30Z;',
    '2026-04-01T9:30',
    '2026-04-01Z',
    '2026-04-01T09:30+99:00',
    '09:30',
    'tomorrow',
    '1767225600',
    'April 1, 2026',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseTime(text), undefined));
  }

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
