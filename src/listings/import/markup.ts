import { PartnerError } from '../../contract/errors.ts';
import { jsonLdOf } from './json-ld.ts';
import type { SourceDocument } from './system.ts';
import { readXml } from './xml.ts';

const MAX_DEPTH = 2_000;
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
  return { ...document, ...jsonLdOf(await ldJsonScripts(text, name), name) };
}

/** The scripts of JSON-LD in a page; nothing of it runs. */
async function ldJsonScripts(html: string, page: string): Promise<string[]> {
  const { Parser } = await import('htmlparser2');
  const scripts: string[] = [];
  let depth = 0;
  let isInScript = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (++depth > MAX_DEPTH) {
        const message = `${page}: elements are nested more than 2,000 deep`;
        throw new PartnerError('FILE_INVALID', { message });
      }
      isInScript = tag === 'script' && /^\s*application\/ld\+json\b/i.test(attributes.type ?? '');
      if (isInScript) scripts.push('');
    },
    ontext(text) {
      if (isInScript) scripts.push(`${scripts.pop() ?? ''}${text}`);
    },
    onclosetag() {
      depth--;
      isInScript = false;
    },
  });
  parser.end(html);
  return scripts;
}
