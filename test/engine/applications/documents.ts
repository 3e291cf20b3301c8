const text = (content: string) => Buffer.from(content, 'latin1');

export const PDF = text('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

const OLE = text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1');
const ZIP = text('PK\x03\x04\x14\0\x06\0');

/** By the type that each is taken as. */
export const TAKEN: readonly (readonly [type: string, name: string, content: Buffer])[] = [
  ['application/pdf', 'cv', PDF],
  ['application/msword', 'CV.DOC', OLE],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'cv.docx', ZIP],
  ['application/vnd.oasis.opendocument.text', 'cv.2026.odt ', ZIP],
  ['application/rtf', 'cv.doc', text('{\\rtf1 Ada}')],
  ['image/png', '', text('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
  ['image/jpeg', 'portrait.png', text('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['text/plain', 'cv.pdf', Buffer.from('Ada Lovelace\r\n\tWelds stainless pipe · 10 °C < 20 °C, 溶接工\n')],
];

/** By what each is that is refused, also under the name `cv.pdf`. */
export const REFUSED: readonly (readonly [what: string, content: Buffer, name?: string])[] = [
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
  ['an archive', ZIP, 'cv.zip'],
  ['an archive of Java', ZIP, 'cv.docx.jar'],
  ['an archive without an ending', ZIP, 'docx'],
  ['an archive that is called an old document', ZIP, 'cv.doc'],
  ['an old spreadsheet', OLE, 'cv.xls'],
  ['a text with NUL characters', text('Ada\0Lovelace')],
  ['a text with escape sequences', text('\x1b]0;owned\x07')],
  ['a text that is not UTF-8', text('Beyonc\xe9')],
  ['white space', text(' \n')],
];
