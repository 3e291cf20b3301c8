import assert from 'node:assert/strict';
import { serveFlags, serveSettings } from '../../../src/commands/engine/serve-settings.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import DEFAULTS from './serve-defaults.json' with { type: 'json' };
import VALUES from './serve-settings.json' with { type: 'json' };

const variableOf = (name: string) => `PARTNER_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`;

function refused(flags: Record<string, string>, env: Record<string, string>, name: string): void {
  const isUsage = (error: unknown) =>
    error instanceof PartnerError && error.code === 'USAGE' && error.message.includes(name);
  assert.throws(() => serveSettings(flags, env), isUsage, name);
}

describe('a setting of engine serve', () => {
  it('is one of those that are tried here', () =>
    assert.deepEqual(Object.keys(VALUES), Object.keys(serveFlags)));

  for (const [name, [right = '', wrong = '']] of Object.entries(VALUES))
    it(`--${name} is read from its variable as from the flag, which wins, and is named where it is wrong`, () => {
      const byFlag = serveSettings({ [name]: right }, {});
      assert.deepEqual(serveSettings({}, { [variableOf(name)]: right }), byFlag);
      assert.deepEqual(serveSettings({ [name]: right }, { [variableOf(name)]: wrong.trim() || 'x' }), byFlag);
      refused({}, { [variableOf(name)]: wrong }, variableOf(name));
      refused({}, { [variableOf(name)]: '' }, variableOf(name));
      refused({ [name]: wrong }, {}, `--${name} `);
    });

  it('has its default where neither says anything', () => {
    const unset = Object.fromEntries(Object.keys(serveFlags).map((name) => [name, undefined]));
    assert.deepEqual(serveSettings({}, {}), { ...unset, ...DEFAULTS });
  });
});
