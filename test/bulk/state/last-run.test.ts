import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readLastRun, writeLastRun } from '../../../src/bulk/state/state-file.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import { tempDirectory } from '../../temp-directory.ts';
import damagedLastRuns from './damaged-last-runs.json' with { type: 'json' };

describe('the last run', () => {
  const temp = tempDirectory();
  const statePath = (): string => temp('.partner/state.json');

  it('returns the failed listings of the previous run only', () => {
    writeLastRun(statePath(), { failed: ['a.json', 'ö.json#2'], at: 1000 });
    writeLastRun(statePath(), { failed: ['b.json'], at: 2000 });
    assert.deepEqual(readLastRun(statePath()), { failed: ['b.json'], at: 2000 });
    assert.deepEqual(readdirSync(temp('.partner')).sort(), ['.gitignore', 'state.last-run.json']);
  });

  it('is undefined if there was none, or if its file is damaged', () => {
    assert.equal(readLastRun(statePath()), undefined);
    mkdirSync(temp('.partner'));
    for (const text of damagedLastRuns.texts) {
      writeFileSync(temp('.partner/state.last-run.json'), text);
      assert.equal(readLastRun(statePath()), undefined, text);
    }
  });

  it("reports why it can't be read or written", () => {
    mkdirSync(temp('.partner/state.last-run.json'), { recursive: true });
    const says = partnerError(
      'STATE_UNUSABLE',
      /last-run\.json can't be (?:read|written): it is a directory/,
    );
    assert.throws(() => readLastRun(statePath()), says);
    assert.throws(() => writeLastRun(statePath(), { failed: [], at: 1 }), says);
  });
});
