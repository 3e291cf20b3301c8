import assert from 'node:assert/strict';
import { findSender } from '../../../src/engine/http/request-origin.ts';
import senders from './request-origin.json' with { type: 'json' };

describe('whom a request counts for', () => {
  for (const [address, sender] of [[undefined, undefined], ...Object.entries(senders)] as const)
    it(`is ${sender} for ${address}`, () => assert.equal(findSender({ remoteAddress: address }), sender));
});
