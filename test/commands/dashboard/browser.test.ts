import assert from 'node:assert/strict';
import { openBrowser } from '../../../src/commands/dashboard/browser.ts';

describe('a browser is not opened', () => {
  const cases: readonly (readonly [env: Record<string, string>, platform: NodeJS.Platform, why: RegExp])[] = [
    [{}, 'linux', /no display/],
    [{ DISPLAY: '', WAYLAND_DISPLAY: '' }, 'linux', /no display/],
    [{ DISPLAY: ':0', CI: 'true' }, 'linux', /CI/],
    [{ CI: '1' }, 'darwin', /CI/],
    [{ DISPLAY: 'localhost:10.0', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }, 'linux', /SSH/],
    [{ SSH_TTY: '/dev/pts/1' }, 'win32', /SSH/],
    [{ CI: 'false' }, 'freebsd', /no display/],
  ];
  for (const [env, platform, why] of cases)
    it(`on ${platform} with ${JSON.stringify(env)}`, async () =>
      assert.match((await openBrowser('http://127.0.0.1/', { env }, platform)) ?? 'opened', why));
});
