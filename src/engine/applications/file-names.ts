import type { FileType } from './file-types.ts';

/** Long enough for a name, short enough for every file system. */
const NAME_CHARACTERS_MAX = 120;

/** Control characters, and those that turn a text around or are not seen in it. */
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
    .replace(/[. ]+$/, '');
  const own = endings.find((ending) => plain.toLowerCase().endsWith(ending));
  const ending = own === undefined ? endings[0] : plain.slice(-own.length);
  const stem = own === undefined ? plain : plain.slice(0, -own.length);
  const visible = [...stem.replace(/^[. ]+/, '')];
  const short = visible.slice(0, NAME_CHARACTERS_MAX - ending.length).join('');
  return `${short.replace(/[. ]+$/, '') || 'file'}${ending}`;
}
