import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFormAnswers, writeFormAnswers } from '../../../../src/commands/jobs/form/form-answers.ts';
import { partnerError } from '../../../cli/settings/partner-error.ts';
import { tempDirectory } from '../../../cli/settings/temp-directory.ts';

describe('the answers of a form', () => {
  const temp = tempDirectory();
  const path = () => join(temp(), 'partner', 'form.json');

  it('are kept for their owner alone, and nothing but a lock is left beside them', async () => {
    for (const title of ['Nurse', 'Night nurse']) {
      assert.equal(await writeFormAnswers(path(), { title }), undefined);
      assert.deepEqual(readFormAnswers(path()), { title });
    }
    assert.equal(statSync(path()).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(dirname(path())).sort(), ['.lock', 'form.json']);
  });

  it('are none before the first', () => {
    assert.equal(readFormAnswers(path()), undefined);
  });

  it('that are damaged are named, and left as they are', async () => {
    await writeFormAnswers(path(), {});
    writeFileSync(path(), '{"ans');
    assert.throws(() => readFormAnswers(path()), partnerError('CONFIG_UNREADABLE', /form\.json.*not JSON/));
    assert.equal(readFileSync(path(), 'utf8'), '{"ans');
  });

  it('that cannot be kept stop nobody: why is said', async () => {
    writeFileSync(join(temp(), 'partner'), 'a file where the directory should be');
    assert.match(
      (await writeFormAnswers(path(), {})) ?? '',
      /cannot be kept in .*form\.json: a part of its path is a file/,
    );
  });
});
