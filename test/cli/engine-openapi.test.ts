import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { newHome } from './partner.ts';

describe('partner engine openapi', () => {
  it('prints the document, with --json and without, and opens no database', async () => {
    const home = await newHome();
    for (const argv of ['engine openapi', 'engine openapi --json']) {
      const { code, stdout } = await home.run(argv.split(' '));
      assert.equal(code, 0);
      assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(openApiDocument())));
    }
    assert.ok(!existsSync(home.database));
  });
});
