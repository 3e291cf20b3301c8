import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../../contract/errors.ts';
import { importedPosting, type Reading } from './facts/imported-posting.ts';
import { mergedPostings } from './facts/same-posting.ts';
import { slugOf } from './file-names.ts';
import type { ImportedPosting } from './imported-posting.ts';
import type { SourcePosting } from './source-posting.ts';
import { readSource, type SourceContext } from './sources.ts';
import { assertFewPostings } from './system.ts';

/** After so many postings the event loop has its turn, for Ctrl-C and the spinner. */
const POSTINGS_A_TURN = 16;

export interface SourcedPosting {
  /** What it is remembered by: `greenhouse:127817`. */
  readonly key: string;
  readonly system: string;
  readonly source: string;
  readonly posting: ImportedPosting;
}

export interface ReadImport {
  readonly postings: readonly SourcedPosting[];
  /** The sources that were read whole and have postings: what is not in them any more is gone. */
  readonly wholeSources: ReadonlySet<string>;
  readonly emptySources: readonly string[];
  readonly warnings: readonly string[];
  readonly unlistedCount: number;
}

/** The postings of all sources as listings, each once. Throws what is wrong with a source, and INTERRUPTED. */
export async function readImport(
  sources: readonly string[],
  context: SourceContext,
  reading: Reading,
  onProgress: (postings: number) => void = () => {},
): Promise<ReadImport> {
  const postings = new Map<string, SourcedPosting>();
  const warnings: string[] = [];
  const wholeSources = new Set<string>();
  const emptySources: string[] = [];
  let unlistedCount = 0;
  for (const source of new Set(sources)) {
    const bySystem = new Map<string, SourcePosting[]>();
    const warningsBefore = warnings.length;
    for await (const { system, postings, ...document } of readSource(source, context)) {
      warnings.push(...document.warnings);
      unlistedCount += document.unlistedCount;
      bySystem.set(system.title, [...(bySystem.get(system.title) ?? []), ...postings]);
    }
    for (const [system, found] of bySystem) {
      for (const posting of mergedPostings(found)) {
        if (postings.size % POSTINGS_A_TURN === 0) await nextTurn();
        if (context.interrupted?.aborted) throw new PartnerError('INTERRUPTED');
        const key = `${slugOf(system)}:${posting.id}`;
        if (postings.has(key)) continue;
        postings.set(key, { key, system, source, posting: importedPosting(posting, reading) });
        assertFewPostings(postings.size, source);
        onProgress(postings.size);
      }
    }
    if (![...bySystem.values()].some((found) => found.length > 0)) emptySources.push(source);
    else if (warnings.length === warningsBefore) wholeSources.add(source);
  }
  return { postings: [...postings.values()], wholeSources, emptySources, warnings, unlistedCount };
}
