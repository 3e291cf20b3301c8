import { jsonLdIn } from './json-ld.ts';
import type { SourceDocument } from './system.ts';
import { readXml } from './xml.ts';

const SNIFFED_CHARACTERS = 4_000;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|script|style|meta|div|main|section|article|p|h[1-6])\b/i;

/**
 * A document that starts as XML or HTML does, read as that; any other as it is. Throws FILE_INVALID for XML that is
 * malformed, and for a page without a JobPosting.
 */
export async function withMarkup(document: SourceDocument): Promise<SourceDocument> {
  const { name, text, json } = document;
  if (json !== undefined || !text.trimStart().startsWith('<')) return document;
  const start = text.slice(0, SNIFFED_CHARACTERS).replace(/<!--.*?-->|<\?[^>]*>/gs, '');
  if (!HTML_START.test(start.trimStart())) return { ...document, xml: await readXml(text, name) };
  const { values, warnings } = await jsonLdIn(text, name);
  return { ...document, json: values, warnings };
}
