import { isUtf8 } from 'node:buffer';
import fileTypes from './file-types.json' with { type: 'json' };

/** `begins` matches the first bytes, read as Latin-1. Only the extension tells container formats apart (`isByEnding`). */
export const FILE_TYPES = fileTypes.map(({ begins, ...known }) => ({ ...known, begins: new RegExp(begins) }));

export function findFileType(content: Uint8Array, name: string) {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const start = bytes.toString('latin1', 0, 16);
  const ending = /\.\w+$/.exec(name.trim())?.[0].toLowerCase() ?? '';
  return FILE_TYPES.find(
    (known) =>
      known.begins.test(start) &&
      (!known.isByEnding || known.endings.includes(ending)) &&
      (known.type !== 'text/plain' || isPlainText(bytes)),
  );
}

export function isDocument(type: string): boolean {
  return FILE_TYPES.some((known) => known.type === type) && !type.startsWith('image/');
}

const NO_TEXT = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
/** Matches markup, PHP, PostScript and scripts, which a browser or shell could run. */
const STARTS_AS_PROGRAM = /^\s*(?:<[a-z!?/]|#!|%!)/i;
/** Some browsers render plain text as HTML if it contains one of these tags. */
const HAS_MARKUP = /<(?:!doctype|html|head|body|script|svg|iframe|object|embed|style|xml|meta|\?xml)[\s/>]/i;

function isPlainText(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  const text = new TextDecoder().decode(bytes);
  return /\S/.test(text) && !NO_TEXT.test(text) && !STARTS_AS_PROGRAM.test(text) && !HAS_MARKUP.test(text);
}

const NAME_CHARACTERS_MAX = 120;

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const SPECIAL = /[<>:"|?*]/g;

/** Returns a safe one-line name with at most 120 visible characters and the type's file extension. */
export function cleanFileName(given: string, { endings }: { readonly endings: readonly string[] }): string {
  const base = given.slice(-10_000).split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .normalize('NFC')
    .replace(HIDDEN, '')
    .replace(SPECIAL, '_')
    .replace(/\s+/g, ' ')
    .replace(/(?<![. ])[. ]+$/, '');
  const own = endings.find((ending) => plain.toLowerCase().endsWith(ending));
  const ending = own === undefined ? (endings[0] ?? '') : plain.slice(-own.length);
  const stem = own === undefined ? plain : plain.slice(0, -own.length);
  const visible = [...stem.replace(/^[. ]+/, '')];
  const short = visible.slice(0, NAME_CHARACTERS_MAX - ending.length).join('');
  return `${short.replace(/(?<![. ])[. ]+$/, '') || 'file'}${ending}`;
}
