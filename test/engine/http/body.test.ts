import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { PartnerError } from '../../../src/contract/errors.ts';
import { LIMITS } from '../../../src/contract/values.ts';
import { readBody } from '../../../src/engine/http/body.ts';

const JSON_TYPE = 'application/json';

function request(body: BodyInit | null, headers: Record<string, string> = { 'content-type': JSON_TYPE }) {
  return new Request('http://engine.test/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

async function refusal(sent: Request): Promise<PartnerError> {
  const body = await readBody(sent);
  try {
    body.value();
  } catch (error) {
    return error as PartnerError;
  }
  return assert.fail('the body was taken');
}

const bytes = (...values: number[]) => new Uint8Array(values);

describe('a request body', () => {
  it('may be of any JSON type', async () => {
    const sent = request('{"a": 1}', { 'content-type': 'application/merge-patch+json' });
    assert.deepEqual((await readBody(sent)).value(), { a: 1 });
  });

  it('may not be in another charset, nor compressed: 415', async () => {
    for (const headers of [
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' },
    ])
      assert.equal((await refusal(request('{}', headers as never))).code, 'UNSUPPORTED_MEDIA_TYPE');
  });

  for (const [what, sent] of Object.entries({
    'invalid UTF-8': bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d),
    'UTF-16 with its mark': bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
    'UTF-16 without one': bytes(0x7b, 0x00, 0x7d, 0x00),
  }))
    it(`in ${what} is 422`, async () =>
      assert.equal((await refusal(request(sent))).code, 'VALIDATION_FAILED'));

  it('may begin with a byte order mark', async () =>
    assert.deepEqual((await readBody(request(bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d)))).value(), {}));

  it('is never read further than the limit', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let sentBytes = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sentBytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    assert.equal((await refusal(request(endless))).code, 'PAYLOAD_TOO_LARGE');
    assert.ok(sentBytes <= LIMITS.bodyBytes + 4 * chunk.byteLength, `${sentBytes} bytes were read`);
  });

  it('is not read at all where its length is said to be over the limit', async () => {
    const unread = new ReadableStream<Uint8Array>(
      { pull: () => assert.fail('it was read') },
      { highWaterMark: 0 },
    );
    const headers = { 'content-type': JSON_TYPE, 'content-length': String(LIMITS.bodyBytes + 1) };
    assert.equal((await refusal(request(unread, headers))).code, 'PAYLOAD_TOO_LARGE');
  });

  it('is released once it is read, although an idle connection keeps its last request', async () => {
    const incoming = Readable.from([Buffer.from('{"title":'), Buffer.from('"A"}')]);
    const headers = { get: (name: string) => (name === 'content-type' ? JSON_TYPE : null) };
    const body = await readBody({ method: 'POST', url: '/', headers, body: incoming });
    assert.deepEqual(body.value(), { title: 'A' });
    assert.equal(incoming.listenerCount('data'), 0);
  });

  it('that breaks off is 422, no fault of the engine', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    const { code, message } = await refusal(request(broken));
    assert.equal(code, 'VALIDATION_FAILED');
    assert.match(message, /cut off/);
  });
});
