import assert from 'node:assert/strict';
import { textRequest, textResponse, wholeText } from '../../src/contract/whole-text.ts';

describe('a request whose text is at hand', () => {
  const url = 'http://localhost/v1/jobs?limit=1';
  const headers = { 'content-type': 'application/json' };

  it('is for whoever looks further what fetch makes of the same', async () => {
    const request = textRequest(url, { method: 'POST', headers, body: '{"title":"Café"}' });
    assert.equal(wholeText(request), '{"title":"Café"}');
    assert.deepEqual([request.method, request.url], ['POST', url]);
    assert.equal(request.headers.get('Content-Type'), 'application/json');
    assert.ok(request instanceof Request);
    assert.deepEqual(await request.clone().json(), { title: 'Café' });
    assert.equal(await request.text(), '{"title":"Café"}');
    assert.equal(request.bodyUsed, true);
  });
});

describe('an answer whose text is at hand', () => {
  it('is for whoever looks further what fetch makes of the same', async () => {
    const made = textResponse('{"id":1}', { status: 201, headers: { 'Idempotency-Status': 'stored' } });
    // Waiting for it, as every caller does, gives the same one.
    const response = await Promise.resolve(made);
    assert.equal(wholeText(response), '{"id":1}');
    assert.deepEqual([response.status, response.ok], [201, true]);
    assert.equal(response.headers.get('idempotency-status'), 'stored');
    assert.ok(response instanceof Response);
    assert.deepEqual(await response.json(), { id: 1 });
  });
});
