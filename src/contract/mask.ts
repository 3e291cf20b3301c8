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

export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  return url.href;
}
