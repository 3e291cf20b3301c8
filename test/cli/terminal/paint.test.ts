import assert from 'node:assert/strict';
import { painter } from '../../../src/cli/terminal/view.ts';

describe('painter', () => {
  it('writes the codes of a style around the text where there is colour', () => {
    assert.equal(painter(true)('green', 'ACTIVE'), '\x1b[32mACTIVE\x1b[39m');
    assert.equal(painter(true)('bold', 'x'), '\x1b[1mx\x1b[22m');
  });

  it('leaves text as it is without colour, without a style, and where there is none', () => {
    assert.equal(painter(false)('green', 'ACTIVE'), 'ACTIVE');
    assert.equal(painter(true)(undefined, 'ACTIVE'), 'ACTIVE');
    assert.equal(painter(true)('green', ''), '');
  });
});
