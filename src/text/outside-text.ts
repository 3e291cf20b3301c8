/** Invisible characters, except variation selectors and joiners that an emoji or a script needs. */
export const INVISIBLE_CHARS =
  /(?![\ufe0e\ufe0f\u200c\u200d])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier}|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}])[\u200c\u200d]|[\u2028\u2029\ufff9-\ufffb]/gu;

const CONTROL_CHARS =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** Escapes control and invisible characters for one line of a report (`\u202e`). Masks keys. */
export function escapeControlChars(text: string): string {
  return maskKeys(text.replace(INVISIBLE_CHARS, charCodes).replace(CONTROL_CHARS, charCodes));
}

/** Formats JSON that is safe in a terminal and in CI logs, and parses to the same value. */
export function formatJson(value: unknown): string {
  return escapeRunnerCommands(JSON.stringify(value, null, 2)).replace(/[^\n]+/g, escapeControlChars);
}

/** Formats an object of a state file with one sorted line per entry, so that git can merge two branches. */
export function formatEntries<Value>(values: ReadonlyMap<string, Value>, textOf: (value: Value) => string) {
  const lines = [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `    ${JSON.stringify(key)}: ${textOf(value)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
}

/** Escapes CI runner commands in JSON (or XML, with `&#35;`). The text parses to the same value. */
export function escapeRunnerCommands(text: string, sign = '\\u0023'): string {
  return text.replace(INLINE_COMMANDS, `${sign}#`);
}

export function charCodes(text: string): string {
  return text.replace(/./gs, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
}

const LINE_COMMANDS = /^((?:[^\S\n\r\u2028\u2029]|\x1b\[\d+m)*):(?=:)/gm;
/** Start of a command of older GitHub runners, Azure Pipelines or TeamCity, anywhere in a line. */
const INLINE_COMMANDS = /##(?=(?:vso|teamcity)?\[)/g;

export function withoutRunnerCommands(lines: string): string {
  return lines.replace(LINE_COMMANDS, '$1: ').replace(INLINE_COMMANDS, '# #');
}

const SHOWN_LETTERS = 4;
/** A label omits the last letters of a shorter key, because they would reveal too much. */
const SHORTEST_SHOWN = 16;

/** Returns a label such as `sk_ext_…9f3c`, which identifies a key but can't be used as one. */
export function keyLabel(key: string): string {
  const prefix = key.startsWith('sk_ext_') ? 'sk_ext_' : '';
  return `${prefix}…${key.length >= SHORTEST_SHOWN ? key.slice(-SHOWN_LETTERS) : ''}`;
}

/** Masks the key, even if it's percent-encoded or escaped as JSON. */
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

export function withoutPassword(text: string, mask = '***'): string {
  const masked = text.replace(/(\w:\/\/[^\s/:@]*:)[^\s/]*@/g, `$1${mask}@`);
  return masked.replace(/([?&]password=)[^&\s]*/g, `$1${mask}`);
}
