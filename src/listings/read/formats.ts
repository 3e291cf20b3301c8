import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { clipText } from '../../contract/problems.ts';
import { getErrorCode } from '../../contract/system-errors.ts';
import { formatNumber } from '../../contract/words.ts';
import type { FormatOptions, ReadFormat } from './listing.ts';

export interface ReadOptions extends FormatOptions {
  readonly format?: FormatName | undefined;
}

interface Format {
  readonly endings: readonly string[];
  /** Loads the reader on demand. The readers for JSON and NDJSON are in `read.ts`, because most files use them. */
  readonly reader?: () => Promise<ReadFormat>;
}

const FORMATS = {
  json: { endings: ['json'] },
  jsonc: { endings: ['jsonc'], reader: async () => (await import('./json.ts')).readJsonc },
  ndjson: { endings: ['ndjson', 'jsonl'] },
  csv: { endings: ['csv'], reader: async () => (await import('./table/csv.ts')).readCsv },
  tsv: { endings: ['tsv', 'tab'], reader: async () => (await import('./table/csv.ts')).readTsv },
  xlsx: { endings: ['xlsx'], reader: async () => (await import('./table/xlsx.ts')).readXlsx },
  yaml: { endings: ['yaml', 'yml'], reader: async () => (await import('./yaml.ts')).readYaml },
  md: { endings: ['md', 'markdown'], reader: async () => (await import('./yaml.ts')).readMarkdown },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

export function findFormat(path: string): FormatName | undefined {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return FORMAT_NAMES.find((name) => (FORMATS[name].endings as readonly string[]).includes(ending));
}

export function loadReader(name: Exclude<FormatName, 'json' | 'ndjson'>): Promise<ReadFormat> {
  return FORMATS[name].reader();
}

export function endingsInWords(): string {
  const endings = FORMAT_NAMES.map((name) => `.${FORMATS[name].endings[0]}`);
  return `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;
}

export interface Beside {
  readonly ignored?: readonly string[];
}

const SHOWN_MAX = 5;
const NAMED_MAX = 100;

export function describeIgnored({ ignored = [] }: Beside): string[] {
  if (ignored.length === 0) return [];
  const names = ignored.slice(0, SHOWN_MAX).map((path) => clipText(basename(path), 40));
  const [files, were] = ignored.length === 1 ? ['file', 'was'] : ['files', 'were'];
  const shown = [...names, ...(ignored.length > names.length ? ['…'] : [])].join(', ');
  return [`${formatNumber(ignored.length)} ${files} with an unknown format ${were} ignored: ${shown}`];
}

export function toIgnoredJson({ ignored = [] }: Beside) {
  return ignored.length === 0
    ? {}
    : { ignored: { count: ignored.length, files: ignored.slice(0, NAMED_MAX) } };
}

/** True for Markdown without front matter, such as a README. Also true if the file doesn't exist. */
export function isPlainMarkdown(path: string): boolean {
  if (findFormat(path) !== 'md') return false;
  const head = Buffer.alloc(64);
  try {
    const file = openSync(path, 'r');
    readSync(file, head, 0, head.length, 0);
    closeSync(file);
  } catch (error) {
    return getErrorCode(error) === 'ENOENT';
  }
  return !/^\ufeff?---[ \t]*\r?\n/.test(head.toString());
}
