/**
 * Everything a terminal must never get: escape sequences (7-bit, 8-bit, incomplete), C0 and C1 controls,
 * bidirectional and invisible characters. Also commands to a CI runner, and a key.
 */
export const SENT_KEY = 'sk_ext_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T';

export const HOSTILE = [
  'A\x1b[2J\x1b[35m\x1b]0;owned\x07\x1b]8;;https://evil.example\x1b\\',
  '\x1bP1$r\x1b\\\x1b_x\x1b\\\x1b^y\x1b\\\x1bXz\x1b\\\x1bc\x1b(0\x1b[?1049h\x1b[',
  '\x9b31m\x9d0;owned\x9c\x90q\x9c\x98\x9e\x9f\x85\x80\x8d',
  '\x00\x05\x07\x08\x0b\x0c\x0e\x1a\x7f\r',
  '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  '\u00ad\u034f\u115f\u17b4\u180e\u200b\u200c\u200d\u2060\u2063\u206a\u3164\ufe0f\ufeff\uffa0\ufff9\u2028\u2029',
  `\u{e0041}\u{e0001}\u{1d173}\ud800\tB ${SENT_KEY}`,
  '\n::set-output name=a::b\r::warning::w\u2028::error::e ##[set-env name=a;]b\nC\x1b[31m',
].join('');

/** The CLI's own colors, removed before the check. HOSTILE contains only a red without an end. */
const PAINT = /\x1b\[(1|2|31|32|33|36)m((?:(?!\x1b)[\s\S])*)\x1b\[(22|39)m/g;

const FORBIDDEN =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}|\p{Surrogate}/u;

export function leakIn(shown: string): string | undefined {
  const bare = shown.replace(PAINT, '$2');
  const at = bare.search(FORBIDDEN);
  if (at === -1) return undefined;
  return JSON.stringify(bare.slice(Math.max(0, at - 20), at + 20)).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** CI runners ignore leading white space. Skips the CLI's own `github` format. */
export function commandIn(shown: string): string | undefined {
  return shown
    .replace(PAINT, '$2')
    .split(/[\n\r\u0085\u2028\u2029]/)
    .find((line) => /^\s*::(?!(?:error|warning|notice) [^:]*::\S)|##\[/.test(line));
}

export function hostile<T>(value: T): T {
  if (typeof value === 'string') return `${value}${HOSTILE}` as T;
  if (Array.isArray(value)) return value.map(hostile) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([field, inner]) => [field, hostile(inner)]);
  return Object.fromEntries([...entries, [`x${HOSTILE}`, HOSTILE]]) as T;
}

export function hostileTexts<T>(value: T, kept: readonly string[]): T {
  return JSON.parse(JSON.stringify(value), (field, inner) =>
    typeof inner === 'string' && !kept.includes(field) ? `${inner}${HOSTILE}` : inner,
  );
}
