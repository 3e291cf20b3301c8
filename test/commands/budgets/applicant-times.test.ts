import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { readApplicantTimes } from '../../../src/commands/budgets/simulation.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import rows from './applicant-times.json' with { type: 'json' };

const read = (text: string) => readApplicantTimes('-', { stdin: Readable.from([Buffer.from(text)]) });

async function applicantsIn(text: string): Promise<string[]> {
  const times = await read(text);
  return times.applicants.map(({ time, isQualified }) =>
    `${new Date(time).toISOString().slice(11, 16)} ${times.saysQualified ? isQualified : ''}`.trim(),
  );
}

describe('a file of applicants', () => {
  for (const { name, text, applicants } of rows.right)
    it(name, async () => assert.deepEqual(await applicantsIn(text), applicants));

  for (const { name, text, says } of rows.wrong)
    it(`with ${name} is refused, with its line`, () =>
      assert.rejects(read(text), partnerError('FILE_INVALID', new RegExp(says))));
});
