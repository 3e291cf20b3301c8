import type { SourcePosting, SourceValue } from '../source-posting.ts';
import { readOf } from './fact.ts';
import { PHRASES, words } from './text.ts';

/** An ID with more words than this is a sentence. */
const WORDS_MAX = 4;

/**
 * Postings whose `opportunityId` names one opening: one that reads like a sentence or is in several postings gives way
 * to the next of their IDs, with a note. Before postings are merged, a repeated ID may still be one opening's.
 */
export function withSoundIds(postings: readonly SourcePosting[], areMerged: boolean): SourcePosting[] {
  const named = ({ ids = [] }: SourcePosting) => [...new Set(ids.map(({ value }) => value.trim()))];
  const counts = countsOf(areMerged ? postings.flatMap(named) : []);
  return postings.map((posting) => {
    const { ids: [first, ...others] = [], fields } = posting;
    const whyNot = ({ value }: SourceValue<string>) => whyNoId(value) ?? whyShared(counts.get(value.trim()));
    const reason = first && whyNot(first);
    if (first === undefined || reason === undefined) return posting;
    const next = others.find((other) => whyNot(other) === undefined) ?? { ...first, value: '' };
    return {
      ...posting,
      fields: { ...fields, opportunityId: { ...next, note: `${readOf(first)} ${reason}` } },
    };
  });
}

export function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function whyShared(count = 1): string | undefined {
  return count > 1 ? `is the ID of ${count} postings` : undefined;
}

function whyNoId(id: string): string | undefined {
  if (PHRASES.noIds.includes(words(id))) return 'is a placeholder';
  const count = id.trim().split(/\s+/).length;
  return count > WORDS_MAX || (count > 1 && !/\p{N}/u.test(id)) ? 'is a sentence, not an ID' : undefined;
}
