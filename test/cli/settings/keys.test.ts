import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseKey, readKeyFile } from '../../../src/cli/settings/config.ts';
import { tempDirectory } from '../../temp-directory.ts';
import NO_KEYS from './no-keys.json' with { type: 'json' };
import { partnerError } from './partner-error.ts';

describe('a key', () => {
  it('is taken without the space around it', () =>
    assert.equal(parseKey(' sk_ext_abc\n', 'PARTNER_API_KEY'), 'sk_ext_abc'));

  it('that is none is refused by its source, and not repeated', () => {
    for (const text of NO_KEYS) {
      const says = /^PARTNER_API_KEY doesn't contain a partner key/;
      const isRefused = partnerError('KEY_MISSING', says, /hidden|abc|é/);
      assert.throws(() => parseKey(text, 'PARTNER_API_KEY'), isRefused, JSON.stringify(text));
    }
  });
});

describe('a key file', () => {
  const directory = tempDirectory();
  const file = (text: string) => {
    const path = join(directory(), 'key');
    writeFileSync(path, text);
    return path;
  };

  it('gives its one line', () => assert.equal(readKeyFile(file('sk_ext_abc\r\n')), 'sk_ext_abc'));

  it('with nothing or with more in it is named, and its text is not repeated', () => {
    assert.throws(() => readKeyFile(file(' \n')), partnerError('CONFIG_UNREADABLE', /key is empty/));
    const several = partnerError('CONFIG_UNREADABLE', /more than one line/, /sk_ext/);
    assert.throws(() => readKeyFile(file('KEY=sk_ext_abc\nOTHER=1\n')), several);
  });

  it('that cannot be read is named', () => {
    const says = (problem: RegExp) => partnerError('CONFIG_UNREADABLE', problem);
    assert.throws(() => readKeyFile(join(directory(), 'missing')), says(/can't be read: no such file/));
    mkdirSync(join(directory(), 'folder'));
    assert.throws(() => readKeyFile(join(directory(), 'folder')), says(/it is a directory/));
  });
});
