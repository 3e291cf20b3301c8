import assert from 'node:assert/strict';
import { formatMonth, parseDuration, parseMonth, parseTime } from '../../src/contract/time.ts';
import { withVariable } from '../environment.ts';
import cases from './time.json' with { type: 'json' };

describe('a time', () => {
  for (const [text, iso] of Object.entries(cases.times))
    it(`${JSON.stringify(text)} is ${iso}, wherever the machine is`, () =>
      assert.equal(new Date(parseTime(text) ?? Number.NaN).toISOString(), iso));

  it('is nothing else, and no day or hour that does not exist', () => {
    for (const text of cases.noTimes) assert.equal(parseTime(text), undefined, text);
  });

  it('is the same on a machine whose clocks skip that hour', async () => {
    const time = await withVariable('TZ', 'America/New_York', () => parseTime('2026-03-08 02:30:00'));
    assert.equal(time, Date.UTC(2026, 2, 8, 2, 30));
  });
});

describe('a month', () => {
  for (const [text, [starts = '', ends = '']] of Object.entries(cases.months))
    it(`${text} begins with its first day and has ended with the next month's, in UTC`, () => {
      const span = { startsAt: Date.parse(starts), endsAt: Date.parse(ends) };
      assert.deepEqual(parseMonth(text), span);
      assert.equal(formatMonth(span.startsAt), text);
      assert.equal(formatMonth(span.endsAt - 1), text);
    });

  it('is nothing else', () => {
    for (const text of cases.noMonths) assert.equal(parseMonth(text), undefined, text);
  });
});

describe('a duration', () => {
  for (const [text, durationMs] of Object.entries(cases.durations))
    it(`${JSON.stringify(text)} is ${durationMs} ms`, () => assert.equal(parseDuration(text), durationMs));

  it('is nothing else, and no more than a whole number can hold', () => {
    for (const text of [...cases.noDurations, `${'9'.repeat(400)}d`])
      assert.equal(parseDuration(text), undefined, text);
  });
});
