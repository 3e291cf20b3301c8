import { zipFirstEntry, zipNames } from './zip-names.ts';

/** A kind of file that candidates may send. */
export interface FileType {
  readonly type: string;
  /** How names of such files may end; the first one is added where none of them stands. */
  readonly endings: readonly [string, ...string[]];
  /** What people call it. */
  readonly name: string;
  /** False for pictures: they may answer a question, but are no resume. */
  readonly isDocument: boolean;
  /** Whether a file is one, by its content alone: what its sender calls it proves nothing. */
  readonly fits: (bytes: Buffer) => boolean;
}

const WORD_PROCESSOR_XML = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const OPEN_DOCUMENT_TEXT = 'application/vnd.oasis.opendocument.text';

/** Every type that is taken. The signatures are those of the formats' own specifications. */
export const FILE_TYPES: readonly FileType[] = [
  {
    type: 'application/pdf',
    endings: ['.pdf'],
    name: 'PDF',
    isDocument: true,
    fits: (bytes) => /^(?:\xef\xbb\xbf)?%PDF-\d/.test(begin(bytes)),
  },
  {
    type: 'application/msword',
    endings: ['.doc'],
    name: 'DOC',
    isDocument: true,
    // The signature stands for every old Office file; the stream of that name is in Word's only.
    fits: (bytes) =>
      begin(bytes).startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') && bytes.includes(WORD_STREAM),
  },
  {
    type: WORD_PROCESSOR_XML,
    endings: ['.docx'],
    name: 'DOCX',
    isDocument: true,
    fits: isWordProcessorXml,
  },
  {
    type: OPEN_DOCUMENT_TEXT,
    endings: ['.odt'],
    name: 'ODT',
    isDocument: true,
    fits: (bytes) =>
      zipFirstEntry(bytes, 'mimetype') === OPEN_DOCUMENT_TEXT &&
      zipNames(bytes)?.includes('content.xml') === true,
  },
  {
    type: 'application/rtf',
    endings: ['.rtf'],
    name: 'RTF',
    isDocument: true,
    fits: (bytes) => begin(bytes).startsWith('{\\rtf'),
  },
  {
    type: 'image/png',
    endings: ['.png'],
    name: 'PNG',
    isDocument: false,
    fits: (bytes) => begin(bytes).startsWith('\x89PNG\r\n\x1a\n'),
  },
  {
    type: 'image/jpeg',
    endings: ['.jpg', '.jpeg'],
    name: 'JPEG',
    isDocument: false,
    fits: (bytes) => begin(bytes).startsWith('\xff\xd8\xff'),
  },
  {
    type: 'text/plain',
    endings: ['.txt'],
    name: 'plain text in UTF-8',
    isDocument: true,
    fits: isPlainText,
  },
];

/** The type of a file by its content; undefined for what is not taken. */
export function fileTypeOf(content: Uint8Array): FileType | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return FILE_TYPES.find(({ fits }) => fits(bytes));
}

/** Whether files of a type can be a resume. */
export function isDocument(type: string): boolean {
  return FILE_TYPES.some((known) => known.type === type && known.isDocument);
}

const WORD_STREAM = Buffer.from('WordDocument', 'utf16le');

function begin(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 16);
}

/** A document of Word, and none with macros in it. */
function isWordProcessorXml(bytes: Buffer): boolean {
  const names = zipNames(bytes) ?? [];
  return (
    names.includes('[Content_Types].xml') &&
    names.includes('word/document.xml') &&
    !names.some((name) => /(?:^|\/)vbaProject\.bin$/i.test(name))
  );
}

/** What no text has: control characters other than tab, line feed, form feed and carriage return. */
const NO_TEXT = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
/** What a browser or a shell would run or render: markup, PHP, PostScript, a script with its interpreter. */
const STARTS_AS_PROGRAM = /^\s*(?:<[a-z!?/]|#!|%!)/i;
/** Browsers have taken such a text for a page, wherever the tag stood. */
const HAS_MARKUP = /<(?:!doctype|html|head|body|script|svg|iframe|object|embed|style|xml|meta|\?xml)[\s/>]/i;

function isPlainText(bytes: Buffer): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  return /\S/.test(text) && !NO_TEXT.test(text) && !STARTS_AS_PROGRAM.test(text) && !HAS_MARKUP.test(text);
}
