import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import JobsApply from '../../src/commands/jobs/apply.ts';
import { checkJobInput } from '../../src/contract/check.ts';
import { CONTENT_FIELDS } from '../../src/contract/job.ts';
import { toFields } from '../../src/contract/problems.ts';
import { ANSWER_FORMATS, JOB_LEVELS, JOB_TYPES, REMOTE_OPTIONS } from '../../src/contract/values.ts';
import { readHeader } from '../../src/listings/read/table/columns.ts';
import { nearest } from '../../src/text/nearest.ts';

const [, ...ROWS] = readFileSync(new URL('suggestions.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

const SUGGESTED: Readonly<Record<string, (typed: string) => string | undefined>> = {
  word: (typed) => nearest(typed, CONTENT_FIELDS),
  remoteOption: (typed) => nearest(typed, REMOTE_OPTIONS),
  jobType: (typed) => nearest(typed, JOB_TYPES),
  jobLevel: (typed) => nearest(typed, JOB_LEVELS),
  answerFormat: (typed) => nearest(typed, ANSWER_FORMATS),
  field(typed) {
    const checked = checkJobInput({ [typed]: 'x' });
    assert.ok(!checked.ok);
    return /; (?:did you mean |use ")(\w+)/.exec(toFields(checked.problems)[typed] ?? '')?.[1];
  },
  column(typed) {
    const row = readHeader({
      row: 1,
      cells: ['Description', typed],
      locateCell: () => ({ line: 1, column: 1 }),
    });
    assert.ok('flaws' in row && row.flaws.length === 1);
    return /^did you mean "(.*)"\?$/.exec(row.flaws[0]?.hint ?? '')?.[1];
  },
  flag(typed) {
    const flags = Object.keys({ ...JobsApply.baseFlags, ...JobsApply.flags });
    return nearest(
      typed,
      flags.map((name) => `--${name}`),
    );
  },
};

describe('a suggestion is near in spelling, the first words, or a listed synonym', () => {
  for (const line of ROWS) {
    const [where = '', typed = '', meant] = line.split('\t');
    it(`${where} ${typed}: ${meant === '-' ? 'none' : meant}`, () =>
      assert.equal(SUGGESTED[where]?.(typed) ?? '-', meant));
  }

  it('without a known name, or for a blank word, is none', () => {
    for (const typed of ['', '   ']) assert.equal(nearest(typed, CONTENT_FIELDS), undefined);
    assert.equal(nearest('title', []), undefined);
  });
});
