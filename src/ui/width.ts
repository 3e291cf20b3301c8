/** East Asian wide and full-width characters (UAX 11), which take two columns. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^\p{Emoji_Presentation}|^\p{Emoji}\p{Emoji_Modifier}?\ufe0f/u;
/** Latin, Greek and Cyrillic letters and punctuation: one column each, and no need to look for more. */
const PLAIN = /^[\x20-\x7e\xa0-\u02ff\u0370-\u0482\u2010-\u2027]*$/;
const PAINT = /\x1b\[\d+m/g;

/** Made when it is first needed: that takes longer than most commands take to show their result. */
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** The columns that cleaned text takes on a terminal, painted or not: a wide character or an emoji takes two. */
export function widthOf(text: string): number {
  const bare = text.replace(PAINT, '');
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of graphemes(bare)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (WIDE.test(grapheme) || EMOJI.test(grapheme)) return 2;
  return /^\p{M}*$/u.test(grapheme) ? 0 : 1;
}

/** Unpainted `text` in at most `columns` columns, its cut end marked by `…`; never half a character. */
export function shorten(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (PLAIN.test(text)) return `${text.slice(0, columns - 1).trimEnd()}…`;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The lines of `text`, broken between words at `columns`; a word longer than that stays whole. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => (widthOf(line) <= columns ? [line] : wrapLine(line, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  const indent = /^\s*(?:[-+~*•] )?/.exec(line)?.[0] ?? '';
  const hanging = ' '.repeat(widthOf(indent));
  const [first = '', ...words] = line.slice(indent.length).trim().split(/ +/);
  const lines: string[] = [];
  let current = indent + first;
  for (const word of words) {
    if (widthOf(current) + 1 + widthOf(word) > columns) {
      lines.push(current);
      current = hanging + word;
    } else {
      current += ` ${word}`;
    }
  }
  return [...lines, current];
}
