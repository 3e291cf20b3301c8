import type { JobInput } from '../../contract/job.ts';

/** How a listing can be written, each so that it reads back to the same; the writers are loaded where they are used. */
const WRITERS = {
  async yaml(input) {
    const { yamlDocument, yamlText } = await import('./yaml.ts');
    return yamlText(yamlDocument(await import('yaml'), input));
  },
  async md(input) {
    const { markdownParts, markdownText } = await import('./markdown.ts');
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

export function writtenListing(input: JobInput, format: WriteFormat): Promise<string | Uint8Array> {
  return WRITERS[format](input);
}
