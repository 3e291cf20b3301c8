import { editDistance } from './edit-distance.ts';

const WORD_CHARACTERS_MAX = 300;

/** Returns the known word that `word` misspells or begins. Ignores case, spaces and punctuation. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > WORD_CHARACTERS_MAX) return undefined;
  const wanted = plain(word);
  if (wanted === '') return undefined;
  const costs = known.map((candidate) => {
    return hasLeadingWords(candidate, wanted) ? 0.5 : weighMisspelling(wanted, plain(candidate));
  });
  const least = costs.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  return least === Number.POSITIVE_INFINITY ? undefined : known[costs.indexOf(least)];
}

/** True if the text begins with `wanted` as whole words (`salary` in `salaryMin`, `bid` in `--bid-cents`). */
function hasLeadingWords(text: string, wanted: string): boolean {
  const words = text.split(/[\s_-]+|(?<=[a-z])(?=[A-Z])/).map(plain);
  return words.some((_, index) => words.slice(0, index).join('') === wanted);
}

function weighMisspelling(word: string, other: string): number {
  const missing = other.length - word.length;
  if (other.startsWith(word) && missing * 4 <= other.length) return Math.min(missing, 0.75);
  const allowed = Math.max(1, Math.floor(Math.max(word.length, other.length) / 5));
  // Typos rarely change the first letter, but different words often differ there (`deadline`, `headline`).
  const isFirstRight = word[0] === other[0] || word[1] === other[0] || word[0] === other[1];
  const edits = isFirstRight && Math.abs(missing) <= allowed ? editDistance(word, other, allowed) : Infinity;
  return edits <= allowed ? edits : Infinity;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
