/** East Asian wide and full-width characters (UAX 11), which take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^\p{Emoji_Presentation}|^\p{Emoji}\p{Emoji_Modifier}?\ufe0f/u;
/** Latin, Greek and Cyrillic letters and punctuation: one column each, and no need to look for more. */
const PLAIN = /^[\x20-\x7e\xa0-\u02ff\u0370-\u0482\u2010-\u2027]*$/;
const PAINT = /\x1b\[\d+m/g;

/** Made when it is first needed: making it takes longer than most commands. */
let segmenter: Intl.Segmenter | undefined;

/** The segmenter takes a second for a long text, and milliseconds for all its parts. */
const PART_CHARACTERS = 1000;

/** The characters of a text as people count them. */
export function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (let start = 0; start < text.length; ) {
    const end = start + PART_CHARACTERS;
    // Never half a surrogate pair.
    const part = text.slice(start, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end);
    const found = Array.from(segmenter.segment(part), ({ segment }) => segment);
    // The last one may continue in the next part.
    if (end < text.length && found.length > 1) found.pop();
    yield* found;
    start += found.reduce((length, { length: more }) => length + more, 0);
  }
}

/** The columns that cleaned text takes on a terminal, painted or not. Counting stops above `columnsMax`. */
export function widthOf(text: string, columnsMax = Number.POSITIVE_INFINITY): number {
  const bare = text.replace(PAINT, '');
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const grapheme of graphemes(bare)) {
    width += graphemeWidth(grapheme);
    if (width > columnsMax) break;
  }
  return width;
}

function graphemeWidth(grapheme: string): number {
  const first = String.fromCodePoint(grapheme.codePointAt(0) ?? 0);
  if (WIDE.test(first) || EMOJI.test(grapheme)) return 2;
  return /^\p{M}*$/u.test(grapheme) ? 0 : 1;
}

/** Unpainted `text` in at most `columns` columns, its cut end marked by `…`; never half a character. */
export function shorten(text: string, columns: number): string {
  if (widthOf(text, columns) <= columns) return text;
  if (PLAIN.test(text)) return `${text.slice(0, columns - 1).trimEnd()}…`;
  const [kept = ''] = pieces(text, columns - 1);
  return `${kept.trimEnd()}…`;
}

function* pieces(text: string, columns: number): Generator<string> {
  let piece = '';
  let width = 0;
  for (const grapheme of graphemes(text)) {
    const graphemeColumns = graphemeWidth(grapheme);
    if (width + graphemeColumns > columns) {
      yield piece;
      piece = '';
      width = 0;
    }
    piece += grapheme;
    width += graphemeColumns;
  }
  yield piece;
}

/** The lines of `text`, broken between words at `columns`; a word of a script without spaces is broken anywhere. */
export function wrap(text: string, columns: number): string[] {
  const lines = text.split('\n');
  if (columns === Number.POSITIVE_INFINITY) return lines;
  return lines.flatMap((line) => (widthOf(line, columns) <= columns ? [line] : wrapLine(line, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  const indent = /^\s*(?:(?:[-+~*•]|\d+\.) )?/.exec(line)?.[0] ?? '';
  const indentWidth = widthOf(indent);
  const words = line.slice(indent.length).trim().split(/ +/);
  const room = columns - indentWidth;
  const isBroken = (word: string): boolean =>
    WIDE.test(word) && !word.includes('\x1b') && widthOf(word, room) > room;
  const [first = '', ...rest] = words.flatMap((word) => (isBroken(word) ? [...pieces(word, room)] : [word]));
  const lines: string[] = [];
  let current = indent + first;
  let width = indentWidth + widthOf(first);
  for (const word of rest) {
    const wordWidth = widthOf(word);
    if (width + 1 + wordWidth > columns) {
      lines.push(current);
      current = ' '.repeat(indentWidth) + word;
      width = indentWidth + wordWidth;
    } else {
      current += ` ${word}`;
      width += 1 + wordWidth;
    }
  }
  return [...lines, current];
}
