import assert from 'node:assert/strict';
import { networkFailure, unreachable } from '../../src/client/failure.ts';
import { networkError } from './client-under-test.ts';
import failures from './failures.json' with { type: 'json' };

const URL_ASKED = 'https://api.example.com/v1/jobs';

const told = (error: unknown) => {
  const failure = networkFailure(error);
  assert.ok(failure);
  const { message, hint } = unreachable(URL_ASKED, failure, error);
  return { reason: failure.reason, message, hint };
};

describe('a call that gets no answer', () => {
  it('says how far it came, in words that need no knowledge of the code', () => {
    for (const { code, reason, words } of failures) {
      const { reason: seen, message } = told(networkError(code));
      assert.equal(seen, reason, code);
      assert.ok(message.includes(words), message);
      assert.match(message, /^can't reach api\.example\.com:443: /);
      assert.doesNotMatch(message, /[A-Z]{3}_|\bE[A-Z]{4}/);
    }
  });

  it('counts as arrived where nobody knows the code: a create is then not made twice', () => {
    assert.equal(told(networkError('E_NEVER_SEEN')).reason, 'connection-lost');
    const expected = 'connection-lost';
    assert.equal(told(new TypeError('fetch failed', { cause: new Error('who knows') })).reason, expected);
  });

  it('never opened where it broke while connecting, whatever the code', () => {
    // Only the syscall `connect` proves that the request wasn't sent.
    assert.equal(told(networkError('ETIMEDOUT', { syscall: 'connect' })).reason, 'connect-failed');
    assert.equal(told(networkError('EACCES', { syscall: 'connect' })).reason, 'connect-failed');
    assert.equal(told(networkError('EHOSTUNREACH', { syscall: 'connect' })).reason, 'connect-failed');
    assert.equal(told(networkError('EHOSTUNREACH', { syscall: 'read' })).reason, 'connection-lost');
    assert.equal(told(networkError('ECONNRESET', { syscall: 'read' })).reason, 'connection-lost');
    assert.equal(told(networkError('EPROTO', { syscall: 'write' })).reason, 'connection-lost');
    assert.equal(told(networkError('EPROTO', { neverOpened: true })).reason, 'connect-failed');
  });

  it('says what was in fact tried, where that is not what the base URL says', () => {
    const { message } = told(networkError('ECONNREFUSED', { address: '203.0.113.7', port: 443 }));
    assert.match(message, /\(tried 203\.0\.113\.7:443\)$/);
    assert.doesNotMatch(told(networkError('ENOTFOUND', { hostname: 'api.example.com' })).message, /tried/);
  });

  it('blames the proxy where it was the proxy that was tried', () => {
    const refused = told(networkError('ECONNREFUSED', { address: '::1', port: 3128 }));
    assert.match(refused.message, /\(tried \[::1\]:3128\)$/);
    assert.match(refused.hint ?? '', /HTTPS_PROXY/);
    assert.match(told(networkError('ENOTFOUND', { hostname: 'proxy.example' })).hint ?? '', /HTTPS_PROXY/);
  });

  it("is told apart from an error that is not the network's", () => {
    const others = [new Error('x'), new TypeError('x is not a function'), 'text', undefined];
    for (const error of [...others, { code: 'SQLITE_BUSY' }]) assert.equal(networkFailure(error), undefined);
  });
});
