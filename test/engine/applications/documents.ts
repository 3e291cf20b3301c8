/** The smallest of what candidates send: as much of each format as tells it from others. */
const text = (content: string) => Buffer.from(content, 'latin1');

export const PDF = text('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

const OLE = text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1');

/** An archive of stored entries, as APPNOTE.TXT has it. */
function zip(entries: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const [nameBytes, body] = [Buffer.from(name), text(content)];
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt32LE(body.length, 18);
    header.writeUInt32LE(body.length, 22);
    header.writeUInt16LE(nameBytes.length, 26);
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    row.writeUInt16LE(nameBytes.length, 28);
    row.writeUInt32LE(offset, 42);
    local.push(header, nameBytes, body);
    central.push(row, nameBytes);
    offset += header.length + nameBytes.length + body.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}

const DOCX_ENTRIES = { '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w:document/>' };

/** By the type that each is to be known as. */
export const TAKEN: readonly (readonly [type: string, content: Buffer])[] = [
  ['application/pdf', PDF],
  ['application/msword', Buffer.concat([OLE, Buffer.alloc(504), Buffer.from('WordDocument', 'utf16le')])],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', zip(DOCX_ENTRIES)],
  [
    'application/vnd.oasis.opendocument.text',
    zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<office/>' }),
  ],
  ['application/rtf', text('{\\rtf1 Ada}')],
  ['image/png', text('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
  ['image/jpeg', text('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['text/plain', Buffer.from('Ada Lovelace\r\n\tWelds stainless pipe · 10 °C < 20 °C, 溶接工\n')],
];

/** By what each is that is refused. */
export const REFUSED: readonly (readonly [what: string, content: Buffer])[] = [
  ['a page', text('<!DOCTYPE html><html><script>alert(1)</script></html>')],
  ['a page behind a byte order mark and spaces', Buffer.from('\ufeff \n\t<html>')],
  ['a page that begins as a text', text('My resume\n<ScRiPt src=//evil.example>')],
  ['a picture of SVG', text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['XML', text('<?xml version="1.0"?><svg/>')],
  ['a comment before a page', text('<!-- --><html>')],
  ['PHP', text('<?php system($_GET[0]);')],
  ['a script', text('#!/bin/sh\nrm -rf /\n')],
  ['PostScript', text('%!PS-Adobe-3.0\n')],
  ['a program of Windows', text('MZ\x90\0\x03')],
  ['a program of Linux', text('\x7fELF\x02\x01\x01')],
  ['an archive', zip({ 'a.txt': 'a' })],
  ['an archive of Java', zip({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0' })],
  ['a spreadsheet', zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' })],
  ['a document with macros', zip({ ...DOCX_ENTRIES, 'word/vbaProject.bin': 'x' })],
  ['the beginning of a document', zip(DOCX_ENTRIES).subarray(0, 60)],
  ['an archive that only calls itself a document', text('PK\x03\x04 word/document.xml [Content_Types].xml')],
  ['an old Office file that is not of Word', Buffer.concat([OLE, Buffer.alloc(504)])],
  ['a text with NUL characters', text('Ada\0Lovelace')],
  ['a text with escape sequences', text('\x1b]0;owned\x07')],
  ['a text that is not UTF-8', text('Beyonc\xe9')],
  ['white space', text(' \n')],
];
