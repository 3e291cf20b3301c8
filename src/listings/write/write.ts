import type { JobInput } from '../../contract/job.ts';

/** Writers by format, loaded on demand. Each output reads back as the same listing. */
const WRITERS = {
  async yaml(input, comment) {
    const { yamlDocument, yamlText } = await import('./yaml.ts');
    return yamlText(yamlDocument(await import('yaml'), input, comment));
  },
  async md(input, comment) {
    const { markdownParts, markdownText } = await import('./yaml.ts');
    return markdownText(markdownParts(await import('yaml'), input, comment));
  },
  csv: async (input) => (await import('./sheet.ts')).writeCsv([input]),
  xlsx: async (input) => (await import('./sheet.ts')).writeXlsx([input]),
} as const satisfies Record<string, (input: JobInput, comment?: string) => Promise<string | Uint8Array>>;

export type WriteFormat = keyof typeof WRITERS;

export const WRITE_FORMATS = Object.keys(WRITERS) as WriteFormat[];

/** Adds `comment` at the top, if the format has comments. */
export function writeListing(input: JobInput, format: WriteFormat, comment?: string) {
  return WRITERS[format](input, comment);
}
