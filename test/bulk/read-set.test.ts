import assert from 'node:assert/strict';
import { readSet, SET_LISTINGS_MAX } from '../../src/bulk/read-set.ts';
import { partnerError } from '../cli/settings/partner-error.ts';

describe('reading listings', () => {
  it('stops at the maximum number of listings, with a hint', async () => {
    let read = 0;
    async function* lines() {
      for (;;)
        yield { file: 'jobs.ndjson', index: read, line: ++read, column: 1, input: undefined, findings: [] };
    }
    const options = {
      base: '.',
      keyPath: (file: string) => file,
      publish: false,
      only: undefined,
      entryOf: () => undefined,
      interrupted: new AbortController().signal,
    };
    const expected = partnerError('USAGE', /more than 100,000 listings.*--state FILE/s);
    await assert.rejects(readSet(lines(), options), expected);
    assert.equal(read, SET_LISTINGS_MAX + 1);
  });
});
