import type { DocumentReading } from './listing.ts';

export interface FormatOptions {
  /** Of a workbook; without it the first one. */
  readonly sheet?: string | undefined;
}

/** The listings of a file's bytes, in their order. A text format decodes with `decodeText` and says what else it is. */
export type ReadFormat = (
  bytes: Uint8Array,
  options: FormatOptions,
) => Iterable<DocumentReading> | AsyncIterable<DocumentReading>;

interface Format {
  /** How files in it end, in lower case, the usual one first. */
  readonly endings: readonly string[];
  /** Loads its reader; JSON and lines of it have theirs in `read.ts`, as most files are. */
  readonly reader?: () => Promise<ReadFormat>;
}

/** What a job file can be written in. */
export const FORMATS = {
  json: { endings: ['json'] },
  ndjson: { endings: ['ndjson', 'jsonl'] },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

/** By the ending of a file's name; undefined for what is no job file. */
export function formatOf(path: string): FormatName | undefined {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const names = Object.keys(FORMATS) as FormatName[];
  return names.find((name) => (FORMATS[name].endings as readonly string[]).includes(ending));
}

export function readerOf(name: FormatName): (() => Promise<ReadFormat>) | undefined {
  const format: Format = FORMATS[name];
  return format.reader;
}
