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
  let [depth, tag, isInScript] = [0, '', false];
  const parser = new Parser({
    // Attributes one by one: an object of all of an element's may be larger than the page.
    onopentagname(name) {
      tag = name;
      if (++depth <= MAX_DEPTH) return;
      const message = `${page}: elements are nested more than 2,000 deep`;
      throw new PartnerError('FILE_INVALID', { message });
    },
    onattribute(name, value) {
      if (tag !== 'script' || name !== 'type' || !/^\s*application\/ld\+json\b/i.test(value)) return;
      isInScript = true;
      scripts.push('');
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
