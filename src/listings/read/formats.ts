import type { DocumentReading } from './listing.ts';

interface FormatOptions {
  /** Of a workbook; without it the first one. */
  readonly sheet?: string | undefined;
}

export interface ReadOptions extends FormatOptions {
  /** Of stdin, and of a file whose name says none. */
  readonly format?: FormatName | undefined;
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
const FORMATS = {
  json: { endings: ['json'] },
  jsonc: { endings: ['jsonc'], reader: async () => (await import('./json.ts')).readJsonc },
  ndjson: { endings: ['ndjson', 'jsonl'] },
  csv: { endings: ['csv'], reader: async () => (await import('./table/csv.ts')).readCsv },
  tsv: { endings: ['tsv', 'tab'], reader: async () => (await import('./table/csv.ts')).readTsv },
  xlsx: { endings: ['xlsx'], reader: async () => (await import('./table/xlsx.ts')).readXlsx },
  yaml: { endings: ['yaml', 'yml'], reader: async () => (await import('./yaml.ts')).readYaml },
  md: { endings: ['md', 'markdown'], reader: async () => (await import('./markdown.ts')).readMarkdown },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** By the ending of a file's name; undefined for what is no job file. */
export function formatOf(path: string): FormatName | undefined {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return FORMAT_NAMES.find((name) => (FORMATS[name].endings as readonly string[]).includes(ending));
}

export function readerOf(name: FormatName): (() => Promise<ReadFormat>) | undefined {
  const format: Format = FORMATS[name];
  return format.reader;
}

/** `.json, .jsonc, … or .md`: how job files end, for hints. */
export function endingsInWords(): string {
  const endings = FORMAT_NAMES.map((name) => `.${FORMATS[name].endings[0]}`);
  return `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;
}
