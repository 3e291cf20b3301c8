import assert from 'node:assert/strict';
import { type ErrorCode, PartnerError } from '../../../src/contract/errors.ts';

export function partnerError(code: ErrorCode, says = /./, hides?: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PartnerError, String(error));
    assert.equal(error.code, code);
    assert.match(`${error.message} → ${error.hint}`, says);
    if (hides !== undefined) assert.doesNotMatch(JSON.stringify(error) + String(error), hides);
    return true;
  };
}
