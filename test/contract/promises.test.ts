import assert from 'node:assert/strict';
import { openOnce } from '../../src/contract/promises.ts';

describe('what is opened at its first use', () => {
  it('is opened again after a failure, and once for all who ask after that', async () => {
    let attempts = 0;
    const part = openOnce(async () => {
      if (++attempts === 1) throw new Error('not yet');
      return { attempts };
    });
    assert.equal(part.opened(), undefined);
    await Promise.all([assert.rejects(part.open(), /not yet/), assert.rejects(part.open(), /not yet/)]);
    assert.equal(part.opened(), undefined);
    const [first, second] = await Promise.all([part.open(), part.open()]);
    assert.equal(first, second);
    assert.equal(await part.opened(), first);
    assert.equal(attempts, 2);
  });
});
