import { normalise } from '../../contract/place-names.ts';

/** Written without spaces between words: a word may begin anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** So short a word is meant whole: `go` is no good. */
const WHOLE_CHARACTERS_MAX = 2;
/** So many words are remembered, each of at most so many characters. */
const KEPT_WORDS_MAX = 50_000;
const KEPT_CHARACTERS_MAX = 32;

/**
 * Whether every word of `searched` is the beginning of a word in one of some texts; case, accents and punctuation do
 * not count, in any language. Made for one search: it remembers the words that it has met, as most come again.
 */
export function wordSearch(searched: string): (...texts: readonly string[]) => boolean {
  const plainWord = rememberingFold();
  const plain = (text: string): string => text.split(/\s+/).map(plainWord).join(' ');
  const words = new Set(
    plain(searched)
      .split(' ')
      .filter((word) => word !== ''),
  );
  const patterns = [...words].map(patternOf);
  return (...texts) => {
    let missing = patterns;
    for (const text of texts) {
      if (missing.length === 0) break;
      const within = ` ${plain(text)} `;
      missing = missing.filter((pattern) => !within.includes(pattern));
    }
    return missing.length === 0;
  };
}

function patternOf(word: string): string {
  if (UNSPACED.test(word)) return word;
  return [...word].length <= WHOLE_CHARACTERS_MAX ? ` ${word} ` : ` ${word}`;
}

/** Folds a word as places are compared. It takes as long as a hundred look-ups of one that was folded before. */
function rememberingFold(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const folded = known.get(word) ?? fold(word);
    if (known.size < KEPT_WORDS_MAX && word.length <= KEPT_CHARACTERS_MAX) known.set(word, folded);
    return folded;
  };
}

/** At its end a word of Greek has another sigma than within. */
function fold(word: string): string {
  return normalise(word).replaceAll('ς', 'σ');
}
