import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { readApplicantTimes } from '../../../src/commands/budgets/applicant-times.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';

const read = (text: string) => readApplicantTimes('-', { stdin: Readable.from([Buffer.from(text)]) });

/** `09:30 true`: the applicants of a text, all on one day. */
async function applicantsIn(text: string): Promise<string[]> {
  const times = await read(text);
  return times.applicants.map(({ time, isQualified }) =>
    `${new Date(time).toISOString().slice(11, 16)} ${times.saysQualified ? isQualified : ''}`.trim(),
  );
}

describe('a file of applicants', () => {
  for (const [name, text, applicants] of [
    ['has a time a line', '2026-12-01T09:30Z\n2026-12-01T10:00Z\n', ['09:30', '10:00']],
    [
      'has the times where a header says so, and who is qualified',
      'id,receivedAt,Qualified\r\n7,2026-12-01T09:30Z,TRUE\r\n8,2026-12-01T09:40Z,false\r\n',
      ['09:30 true', '09:40 false'],
    ],
    ['takes the first column without such a header', '2026-12-01T09:30Z,Ada,true\n', ['09:30']],
    ['is put in the order of time', '2026-12-01T10:00Z\n2026-12-01T09:30Z\n', ['09:30', '10:00']],
    [
      'has quoted cells',
      '"note","time"\n"a ""b"", c","2026-12-01T09:30Z"\n"", "2026-12-01T09:31Z" \n',
      ['09:30', '09:31'],
    ],
    ['has empty lines', '\n\n2026-12-01T09:30Z\n,,\n \n2026-12-01T09:31Z\n', ['09:30', '09:31']],
    ['begins with a byte order mark', '\ufefftime\n2026-12-01T09:30Z\n', ['09:30']],
  ] as const) {
    it(name, async () => assert.deepEqual(await applicantsIn(text), applicants));
  }

  for (const [name, text, says] of [
    [
      'a line that is no time',
      '2026-12-01\n\n2026-13-01\n',
      /^stdin:3: `2026-13-01` is not an ISO 8601 time/,
    ],
    ['a missing cell', 'id,time\n1\n', /^stdin:2: the time is missing/],
    [
      'neither true nor false',
      'time,qualified\n2026-12-01,yes\n',
      /^stdin:2: `qualified` must be true or false, not `yes`/,
    ],
    ['a spreadsheet', 'PK\x03\x04', /Office document.* → give a CSV/],
  ] as const) {
    it(`with ${name} is refused, with its line`, async () => {
      await assert.rejects(read(text), partnerError('FILE_INVALID', says));
    });
  }
});
