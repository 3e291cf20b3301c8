import assert from 'node:assert/strict';
import { cleanFileName, FILE_TYPES, findFileType } from '../../../src/engine/applications/file-types.ts';
import { TAKEN } from './documents.ts';
import names from './file-names.json' with { type: 'json' };

describe("a candidate's file", () => {
  it('is known by how it begins, and in a container by its name too', () => {
    for (const [type, name, content] of TAKEN) assert.equal(findFileType(content, name)?.type, type);
    assert.deepEqual(TAKEN.map(([type]) => type).sort(), FILE_TYPES.map(({ type }) => type).sort());
  });

  const PDF = { endings: ['.pdf'] } as const;
  for (const [given, shown] of Object.entries(names))
    it(`is shown as ${shown} where it was sent as ${JSON.stringify(given)}`, () =>
      assert.equal(cleanFileName(given, PDF), shown));

  it('has a name of 120 characters at most, whose ending stays', () => {
    const name = cleanFileName(`${'👩‍🔧é'.repeat(2_000)}.pdf`, PDF);
    assert.equal([...name].length, 120);
    assert.ok(name.endsWith('.pdf'));
  });
});
