import { createTurns } from '../listings/read/bytes.ts';
import { importPosting, type Reading } from './facts/imported-posting.ts';
import { mergePostings } from './facts/same-posting.ts';
import { toSlug } from './file-names.ts';
import type { ImportedPosting, SourcePosting } from './source-posting.ts';
import { readSource, type SourceContext } from './sources.ts';
import { assertFewPostings } from './system.ts';

export interface SourcedPosting {
  readonly key: string;
  readonly system: string;
  readonly source: string;
  readonly posting: ImportedPosting;
}

export type ReadImport = Readonly<Awaited<ReturnType<typeof readImport>>>;

/** Returns the postings of all sources, without duplicates. Throws INTERRUPTED and the errors of sources. */
export async function readImport(
  sources: readonly string[],
  context: SourceContext,
  reading: Reading,
  onProgress: (postings: number) => void = () => {},
) {
  const postings = new Map<string, SourcedPosting>();
  const warnings: string[] = [];
  /** Sources that have postings and were read completely. A posting missing from its source no longer exists. */
  const wholeSources = new Set<string>();
  const emptySources: string[] = [];
  let unlistedCount = 0;
  const turn = createTurns(context.interrupted);
  for (const source of new Set(sources)) {
    const bySystem = new Map<string, SourcePosting[]>();
    const warningsBefore = warnings.length;
    for await (const { system, postings, ...document } of readSource(source, context)) {
      warnings.push(...document.warnings);
      unlistedCount += document.unlistedCount;
      bySystem.set(system.title, [...(bySystem.get(system.title) ?? []), ...postings]);
    }
    for (const [system, found] of bySystem) {
      for (const posting of mergePostings(found)) {
        await turn();
        const key = `${toSlug(system)}:${posting.id}`;
        if (postings.has(key)) continue;
        postings.set(key, { key, system, source, posting: importPosting(posting, reading) });
        assertFewPostings(postings.size, source);
        onProgress(postings.size);
      }
    }
    if (![...bySystem.values()].some((found) => found.length > 0)) emptySources.push(source);
    else if (warnings.length === warningsBefore) wholeSources.add(source);
  }
  return { postings: [...postings.values()], wholeSources, emptySources, warnings, unlistedCount };
}
