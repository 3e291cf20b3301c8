import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NO_ANSWERS, withAnswer, withGiven } from '../../../../src/commands/jobs/form/answers.ts';
import { readKeptAnswers, writeKeptAnswers } from '../../../../src/commands/jobs/form/form.ts';
import { partnerError } from '../../../cli/settings/partner-error.ts';
import { tempDirectory } from '../../../temp-directory.ts';
import { getQuestion } from './get-question.ts';

const KEPT = {
  answers: withAnswer(withGiven(NO_ANSWERS, { title: 'Nurse' }), getQuestion('bid'), 1800),
  keptAt: '2026-01-01T00:00:00.000Z',
};

describe('the kept answers of a form', () => {
  const temp = tempDirectory();
  const path = () => join(temp(), 'partner', 'form.json');

  it('are for their owner alone, and nothing but a lock is left beside them', async () => {
    await writeKeptAnswers(path(), KEPT);
    assert.equal(statSync(path()).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dirname(path())).sort(), ['.lock', 'form.json']);
  });

  const answers = (more: object) => JSON.stringify({ ...KEPT, answers: { ...KEPT.answers, ...more } });
  for (const [what, text, why] of [
    ['cut off', '{"ans', /form\.json.*contains no form answers/],
    ['no answers', '7', /contains no form answers/],
    ['a field that no listing has', answers({ content: { titel: 'x' } }), /contains no form answers/],
    ['a question that is none', answers({ asked: ['pay'] }), /contains no form answers/],
    ['without a time', JSON.stringify({ answers: KEPT.answers }), /contains no form answers/],
  ] as const)
    it(`that are ${what} are named, and left as they are`, () => {
      mkdirSync(dirname(path()));
      writeFileSync(path(), text, { mode: 0o600 });
      assert.throws(() => readKeptAnswers(path()), partnerError('CONFIG_UNREADABLE', why));
      assert.equal(readFileSync(path(), 'utf8'), text);
    });

  it('that cannot be written stop nobody: why is said', async () => {
    writeFileSync(join(temp(), 'partner'), 'a file where the directory should be');
    const why = await writeKeptAnswers(path(), KEPT);
    assert.match(why ?? '', /can't save the answers in .*form\.json: part of its path is a file/);
  });
});
