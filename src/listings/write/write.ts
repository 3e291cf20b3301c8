import type { JobInput } from '../../contract/job.ts';

/** Writers by format, loaded on demand. Each output reads back as the same listing. */
const WRITERS = {
  async yaml(input) {
    const { yamlDocument, yamlText } = await import('./yaml.ts');
    return yamlText(yamlDocument(await import('yaml'), input));
  },
  async md(input) {
    const { markdownParts, markdownText } = await import('./yaml.ts');
    return markdownText(markdownParts(await import('yaml'), input));
  },
  async csv(input) {
    const { writeCsv } = await import('./sheet.ts');
    return writeCsv([input]);
  },
  async xlsx(input) {
    const { writeXlsx } = await import('./sheet.ts');
    return writeXlsx([input]);
  },
} as const satisfies Record<string, (input: JobInput) => Promise<string | Uint8Array>>;

export type WriteFormat = keyof typeof WRITERS;

export const WRITE_FORMATS = Object.keys(WRITERS) as WriteFormat[];

export function writeListing(input: JobInput, format: WriteFormat): Promise<string | Uint8Array> {
  return WRITERS[format](input);
}
