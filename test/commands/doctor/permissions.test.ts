import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { closeToOthers, openToOthers } from '../../../src/commands/doctor/checks.ts';
import { tempDirectory } from '../../temp-directory.ts';
import FILES from './own-files.json' with { type: 'json' };

describe('the permissions of our own files', () => {
  const temp = tempDirectory();
  const at = (path: string): string => join(temp(), 'partner', path);
  const put = (path: string, mode: number): void => {
    mkdirSync(dirname(at(path)), { recursive: true, mode: 0o700 });
    writeFileSync(at(path), 'private');
    chmodSync(at(path), mode);
  };
  const found = () => openToOthers(at('.')).map(({ path, mode }) => [relative(at('.'), path), mode]);

  it('are in order where there is nothing, and where only their owner has any', () => {
    assert.deepEqual(found(), []);
    for (const file of FILES) put(file, file.length % 2 ? 0o600 : 0o400);
    assert.deepEqual(found(), []);
  });

  it('that let others in are found and mended, of every file and directory', () => {
    for (const file of FILES) put(file, 0o644);
    for (const directory of ['engine', 'engine/partner.db-files']) chmodSync(at(directory), 0o750);
    chmodSync(at('.'), 0o755);
    const directories = [
      ['', '0755'],
      ['engine', '0750'],
      ['engine/partner.db-files', '0750'],
    ];
    assert.deepEqual(found().sort(), [...directories, ...FILES.map((file) => [file, '0644'])].sort());
    for (const each of openToOthers(at('.'))) closeToOthers(each);
    assert.deepEqual(found(), []);
    assert.equal(statSync(at('engine/key')).mode & 0o777, 0o600);
    assert.equal(statSync(at('engine')).mode & 0o777, 0o700);
  });

  it('of what is not ours, and of what a link leads to, are left as they are', () => {
    put('form.json', 0o600);
    put('notes.txt', 0o644);
    put('../theirs.json', 0o644);
    symlinkSync(at('../theirs.json'), at('config.json'));
    chmodSync(at('.'), 0o755);
    assert.deepEqual(found(), []);
  });

  it('are not looked at on Windows', () => {
    put('config.json', 0o644);
    assert.deepEqual(openToOthers(at('.'), 'win32'), []);
  });
});
