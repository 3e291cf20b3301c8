import assert from 'node:assert/strict';
import { displayName, FILE_TYPES, fileTypeOf } from '../../../src/engine/applications/file-types.ts';
import { TAKEN } from './documents.ts';

describe("a candidate's file", () => {
  it('is known by how it begins, and in a container by its name too', () => {
    for (const [type, name, content] of TAKEN) assert.equal(fileTypeOf(content, name)?.type, type);
    assert.deepEqual(TAKEN.map(([type]) => type).sort(), FILE_TYPES.map(({ type }) => type).sort());
  });

  const PDF = { endings: ['.pdf'] } as const;
  for (const [given, shown] of [
    ['cv.pdf', 'cv.pdf'],
    ['CV.PDF', 'CV.PDF'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\x\\cv.pdf', 'cv.pdf'],
    ['a\0.pdf', 'a.pdf'],
    ['cv\u202efdp.exe', 'cvfdp.exe.pdf'],
    ['\x1b[31mred\x1b[0m.pdf', '[31mred[0m.pdf'],
    ['a\r\nSet-Cookie: x.pdf', 'aSet-Cookie_ x.pdf'],
    ['page.html', 'page.html.pdf'],
    ['..', 'file.pdf'],
    ['.pdf', 'file.pdf'],
    ['', 'file.pdf'],
    ['/', 'file.pdf'],
    ['  Lebenslauf  Müller .pdf', 'Lebenslauf Müller.pdf'],
    ['履歴書.pdf', '履歴書.pdf'],
    ['half\ud83d.pdf', 'half.pdf'],
  ] as const) {
    it(`is shown as ${shown} where it was sent as ${JSON.stringify(given)}`, () => {
      assert.equal(displayName(given, PDF), shown);
    });
  }

  it('has a name of 120 characters at most, whose ending stays', () => {
    const name = displayName(`${'👩‍🔧é'.repeat(2_000)}.pdf`, PDF);
    assert.equal([...name].length, 120);
    assert.ok(name.endsWith('.pdf'));
  });
});
