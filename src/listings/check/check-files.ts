import { LIMITS } from '../../contract/limits.ts';
import type { Places } from '../../contract/places.ts';
import { createPlaceMemory } from '../places/place-memory.ts';
import type { Input } from '../read/bytes.ts';
import { checkedListings, type SetChecking } from '../read/listing-set.ts';
import type { JobFiles } from '../read/paths.ts';
import { createTally, type FindingTotals } from './tally.ts';

export interface Report extends FindingTotals {
  /** The files in their order, each with how many listings it holds; what cannot be read counts as one. */
  readonly files: readonly { readonly file: string; readonly listings: number }[];
  readonly listings: number;
}

const PROGRESS_EVERY = 256;

/** Checks every listing of the files. Throws FILE_UNREADABLE and INTERRUPTED. */
export async function checkFiles(
  files: JobFiles,
  input: Input,
  { places, ...checking }: Pick<SetChecking, 'draft' | 'spending'> & { readonly places: Places },
  onProgress: (listings: number) => void = () => {},
): Promise<Report> {
  const tally = createTally();
  const counts = new Map<string, number>();
  const memory = createPlaceMemory({ places, search: async (q) => places.search({ q }) });
  let listings = 0;
  for await (const checked of checkedListings(files, input, memory, { ...checking, limits: LIMITS })) {
    tally.add(checked);
    // An empty array is only warned of.
    const isListing = checked.input !== undefined || checked.findings.some(({ level }) => level === 'error');
    counts.set(checked.file, (counts.get(checked.file) ?? 0) + (isListing ? 1 : 0));
    if (isListing && ++listings % PROGRESS_EVERY === 0) onProgress(listings);
  }
  const counted = Array.from(counts, ([file, listings]) => ({ file, listings }));
  return { files: counted, listings, ...tally.totals() };
}
