import { isUtf8 } from 'node:buffer';

export interface FileType {
  readonly type: string;
  /** How names of such files may end; the first one is added to a name that has none. */
  readonly endings: readonly [string, ...string[]];
  readonly name: string;
  /** False for pictures: they may answer a question, but are no resume. */
  readonly isDocument: boolean;
  /** True for a container of many formats: the ending of the name then says which. */
  readonly isByEnding?: boolean;
  readonly fits: (bytes: Buffer) => boolean;
}

const ZIP = 'PK\x03\x04';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT = 'application/vnd.oasis.opendocument.text';
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** Every type that is taken. The signatures are those of the formats' own specifications. */
export const FILE_TYPES: readonly FileType[] = [
  document('application/pdf', 'PDF', '.pdf', (bytes) => /^(?:\xef\xbb\xbf)?%PDF-\d/.test(begin(bytes))),
  { ...document('application/msword', 'DOC', '.doc', beginsWith(OLE)), isByEnding: true },
  { ...document(DOCX, 'DOCX', '.docx', beginsWith(ZIP)), isByEnding: true },
  { ...document(ODT, 'ODT', '.odt', beginsWith(ZIP)), isByEnding: true },
  document('application/rtf', 'RTF', '.rtf', beginsWith('{\\rtf')),
  { ...document('image/png', 'PNG', '.png', beginsWith('\x89PNG\r\n\x1a\n')), isDocument: false },
  {
    ...document('image/jpeg', 'JPEG', '.jpg', beginsWith('\xff\xd8\xff')),
    endings: ['.jpg', '.jpeg'],
    isDocument: false,
  },
  document('text/plain', 'plain text in UTF-8', '.txt', isPlainText),
];

/** Undefined for what is not taken. */
export function fileTypeOf(content: Uint8Array, name: string): FileType | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const ending = /\.\w+$/.exec(name.trim())?.[0].toLowerCase() ?? '';
  return FILE_TYPES.find(
    ({ endings, isByEnding, fits }) => fits(bytes) && (isByEnding !== true || endings.includes(ending)),
  );
}

export function isDocument(type: string): boolean {
  return FILE_TYPES.some((known) => known.type === type && known.isDocument);
}

function document(type: string, name: string, ending: string, fits: FileType['fits']): FileType {
  return { type, endings: [ending], name, isDocument: true, fits };
}

function beginsWith(signature: string): FileType['fits'] {
  return (bytes) => begin(bytes).startsWith(signature);
}

function begin(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 16);
}

/** What no text has: control characters other than tab, line feed, form feed and carriage return. */
const NO_TEXT = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
/** What a browser or a shell would run or render: markup, PHP, PostScript, a script with its interpreter. */
const STARTS_AS_PROGRAM = /^\s*(?:<[a-z!?/]|#!|%!)/i;
/** Browsers have taken such a text for a page, wherever the tag stood. */
const HAS_MARKUP = /<(?:!doctype|html|head|body|script|svg|iframe|object|embed|style|xml|meta|\?xml)[\s/>]/i;

function isPlainText(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  const text = new TextDecoder().decode(bytes);
  return /\S/.test(text) && !NO_TEXT.test(text) && !STARTS_AS_PROGRAM.test(text) && !HAS_MARKUP.test(text);
}

/** Long enough for a name, short enough for every file system. */
const NAME_CHARACTERS_MAX = 120;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
/** What some file system takes for more than a letter of a name. */
const SPECIAL = /[<>:"|?*]/g;

/**
 * The name under which a candidate's file is shown and saved: the last part of what its sender called it, on one
 * line, in characters that are seen, at most 120 of them, ending as its type does. It is never used as a path.
 */
export function displayName(given: string, { endings }: Pick<FileType, 'endings'>): string {
  const base = given.slice(-10_000).split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .normalize('NFC')
    .replace(HIDDEN, '')
    .replace(SPECIAL, '_')
    .replace(/\s+/g, ' ')
    .replace(/(?<![. ])[. ]+$/, '');
  const own = endings.find((ending) => plain.toLowerCase().endsWith(ending));
  const ending = own === undefined ? endings[0] : plain.slice(-own.length);
  const stem = own === undefined ? plain : plain.slice(0, -own.length);
  const visible = [...stem.replace(/^[. ]+/, '')];
  const short = visible.slice(0, NAME_CHARACTERS_MAX - ending.length).join('');
  return `${short.replace(/(?<![. ])[. ]+$/, '') || 'file'}${ending}`;
}
