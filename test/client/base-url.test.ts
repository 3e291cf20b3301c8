import assert from 'node:assert/strict';
import { assertSafeBaseUrl } from '../../src/client/base-url.ts';
import { isLoopback } from '../../src/contract/uri.ts';
import baseUrls from './base-urls.json' with { type: 'json' };

const safe = (baseUrl: string, allowInsecure = false) => assertSafeBaseUrl(baseUrl, { allowInsecure });

describe('a base URL', () => {
  it('is taken with or without a slash at its end, and keeps its path', () => {
    assert.equal(safe('https://api.example.com/v1/'), 'https://api.example.com/v1');
    assert.equal(safe('https://api.example.com/partner/v1'), 'https://api.example.com/partner/v1');
    assert.equal(safe('https://api.example.com'), 'https://api.example.com');
  });

  it('may be plain http on this machine', () => {
    for (const host of baseUrls.loopback)
      assert.equal(safe(`http://${host}/v1`), new URL(`http://${host}/v1`).href);
  });

  it('must not be plain http on another, unless --allow-insecure says so', () => {
    const hosts = ['api.example.com', '10.0.0.1', '0.0.0.0', '[::2]', 'localhost.example.com'];
    for (const host of [...hosts, '127.0.0.1.example.com', 'notlocalhost']) {
      assert.throws(() => safe(`http://${host}/v1`), { code: 'INSECURE_BASE_URL', exit: 2 });
      assert.equal(safe(`http://${host}/v1`, true), `http://${host}/v1`);
    }
  });

  it('is an address of the web', () => {
    const none = ['', 'api.example.com', 'localhost:4010', 'ftp://example.com', 'file:///v1', 'sk_ext_abc'];
    for (const text of [...none, 'http://'])
      assert.throws(() => safe(text, true), { code: 'USAGE', exit: 2 }, text);
  });

  for (const [baseUrl, says] of baseUrls.excess as [string, string][])
    it(`has nothing behind its path: ${baseUrl}`, () =>
      assert.throws(() => safe(baseUrl), {
        code: 'USAGE',
        message: new RegExp(says),
        hint: /https:\/\/example\.com\/v1$/,
      }));

  it('counts no look-alike as this machine', () => {
    for (const host of ['127.0.0.1.nip.io', 'localhost.com', '1270.0.0.1', '[::ffff:127.0.0.1]'])
      assert.equal(isLoopback(host), false);
  });
});
