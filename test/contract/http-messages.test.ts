import assert from 'node:assert/strict';
import { TextResponse } from '../../src/contract/http-messages.ts';

describe('a response whose text is at hand', () => {
  it('reads as one of fetch', async () => {
    const response = new TextResponse('{"id":1}', 201, { 'Idempotency-Status': 'stored' });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('idempotency-status'), 'stored');
    assert.equal(await response.text(), '{"id":1}');
    assert.deepEqual(await response.json(), { id: 1 });
  });
});
