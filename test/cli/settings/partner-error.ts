import assert from 'node:assert/strict';
import { type ErrorCode, PartnerError } from '../../../src/contract/errors.ts';

/** For `assert.throws`: an error of the table whose message and hint say this. */
export function partnerError(code: ErrorCode, says: RegExp = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PartnerError, String(error));
    assert.equal(error.code, code);
    assert.match(`${error.message} → ${error.hint}`, says);
    return true;
  };
}
