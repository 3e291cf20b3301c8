/** Drawn as nothing. Variation selectors and joiners stay where an emoji or a script needs them. */
export const INVISIBLE_CHARS =
  /(?![\ufe0e\ufe0f\u200c\u200d])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier}|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}])[\u200c\u200d]|[\u2028\u2029\ufff9-\ufffb]/gu;

/** What steers a terminal or a log, or cannot stand in XML. */
const CONTROL_CHARS =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** For one line of a report: what steers or hides in a terminal becomes its code (`\u202e`), and a key its label. */
export function escapeControlChars(text: string): string {
  return maskKeys(text.replace(INVISIBLE_CHARS, charCodes).replace(CONTROL_CHARS, charCodes));
}

/** No terminal and no CI runner obeys it, and it reads back to the same value. */
export function escapedJson(value: unknown): string {
  return escapeRunnerCommands(JSON.stringify(value, null, 2))
    .split('\n')
    .map(escapeControlChars)
    .join('\n');
}

/** JSON or, with `&#35;`, XML in which a CI runner finds no command: it reads back to the same. */
export function escapeRunnerCommands(text: string, sign = '\\u0023'): string {
  return text.replace(INLINE_COMMANDS, `${sign}#`);
}

export function charCodes(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

const LINE_COMMANDS = /^((?:[^\S\n\r\u2028\u2029]|\x1b\[\d+m)*):(?=:)/gm;
/** How a command of an older GitHub runner, Azure Pipelines or TeamCity begins anywhere in a line. */
const INLINE_COMMANDS = /##(?=(?:vso|teamcity)?\[)/g;

export function withoutRunnerCommands(lines: string): string {
  return lines.replace(LINE_COMMANDS, '$1: ').replace(INLINE_COMMANDS, '# #');
}

const SHOWN_LETTERS = 4;
/** A shorter key would be given away by its last letters. */
const SHORTEST_SHOWN = 16;

/** `sk_ext_…9f3c`: never enough to use the key. */
export function keyLabel(key: string): string {
  const prefix = key.startsWith('sk_ext_') ? 'sk_ext_' : '';
  return `${prefix}…${key.length >= SHORTEST_SHOWN ? key.slice(-SHOWN_LETTERS) : ''}`;
}

/** Finds the key by its value, also percent-encoded or escaped as JSON. */
export function maskKey(text: string, key: string | undefined): string {
  if (key === undefined || key === '') return text;
  return text.replace(new RegExp([...key].map(spellings).join(''), 'gi'), () => keyLabel(key));
}

const KEYS = /sk_ext_[\w.~+/=:%-]{8,}/g;

export function maskKeys(text: string): string {
  return text.replace(KEYS, (key) => keyLabel(key));
}

function spellings(letter: string): string {
  const literal = letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const percent = [...new TextEncoder().encode(letter)].map((byte) => `%${hex(byte, 2)}`).join('');
  return `(?:${percent}|\\\\u${hex(letter.charCodeAt(0), 4)}|\\\\?${literal})`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Replaces the password of each URL in a text. */
export function withoutPassword(text: string, mask = '***'): string {
  const masked = text.replace(/(\w:\/\/[^\s/:@]*:)[^\s/]*@/g, `$1${mask}@`);
  return masked.replace(/([?&]password=)[^&\s]*/g, `$1${mask}`);
}
