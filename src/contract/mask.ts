const SHOWN_LETTERS = 4;
/** A shorter key would be given away by its last letters. */
const SHORTEST_SHOWN = 16;

/** How a key is named wherever a person sees it: `sk_ext_…9f3c`. Never enough to use it. */
export function keyLabel(key: string): string {
  const prefix = key.startsWith('sk_ext_') ? 'sk_ext_' : '';
  return `${prefix}…${key.length >= SHORTEST_SHOWN ? key.slice(-SHOWN_LETTERS) : ''}`;
}

/**
 * `text` with the key replaced by its label. It is found by its value, not by a field's name: in a header, a
 * body or a message, also where it was percent-encoded or escaped as JSON on the way.
 */
export function maskKey(text: string, key: string | undefined): string {
  if (key === undefined || key === '') return text;
  return text.replace(new RegExp([...key].map(spellings).join(''), 'g'), () => keyLabel(key));
}

/** What has the form of a key (section 5): the prefix and no fewer characters than nobody would type by chance. */
const KEYS = /sk_ext_[\w.~+/=:%-]{8,}/g;

/** `text` in which everything that has the form of a key is replaced by its label. */
export function maskKeys(text: string): string {
  return text.replace(KEYS, (key) => keyLabel(key));
}

/** Every way in which one letter of a key may stand in a text, as a regular expression. */
function spellings(letter: string): string {
  const literal = letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const percent = [...new TextEncoder().encode(letter)].map((byte) => `%${anyCase(hex(byte, 2))}`).join('');
  const escaped = `\\\\u${anyCase(hex(letter.charCodeAt(0), 4))}`;
  return `(?:${percent}|${escaped}|\\\\?${literal})`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** A web address as it is shown: the password of a proxy is nobody's business. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  return url.href;
}
