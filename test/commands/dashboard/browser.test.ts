import assert from 'node:assert/strict';
import { openBrowser } from '../../../src/commands/dashboard/browser.ts';
import cases from './browser.json' with { type: 'json' };

describe('a browser is not opened', () => {
  for (const [env, platform, why] of cases as unknown as [NodeJS.ProcessEnv, NodeJS.Platform, string][])
    it(`on ${platform} with ${JSON.stringify(env)}`, async () =>
      assert.match((await openBrowser('http://127.0.0.1/', { env }, platform)) ?? 'opened', new RegExp(why)));
});
