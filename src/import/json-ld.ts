import { PartnerError } from '../contract/errors.ts';
import { isObject } from '../contract/values.ts';
import { DOCUMENT_VALUES_MAX, JsonReader } from '../json/reader.ts';
import { Malformed, TooMuch } from '../json/words.ts';
import { getValue } from './systems/values.ts';

const LD_JSON_TAG = '<script type="application/ld+json">';

const CONTAINERS = ['@graph', 'itemListElement', 'item', 'mainEntity', 'mainEntityOfPage', 'hasPart'];

const WARNINGS_MAX = 20;

/** Parses the JSON-LD scripts of a page. A broken script causes a warning. Throws FILE_INVALID without a JobPosting. */
export function parseJsonLd(scripts: readonly string[], page: string) {
  let valuesLeft = DOCUMENT_VALUES_MAX;
  const values = scripts.map((script) => {
    const reader = createScriptReader(script, valuesLeft);
    try {
      return reader.readWhole();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      if (!(error instanceof TooMuch)) return undefined;
      throw createDocumentError(page, error.message, error.hint);
    } finally {
      valuesLeft -= reader.values;
    }
  });
  const json = values.filter((value) => value !== undefined);
  const warnings = values.flatMap((value, at) =>
    value === undefined
      ? [`${page}: the JSON-LD of script ${at + 1} of ${scripts.length} is invalid and was skipped`]
      : [],
  );
  if (jobPostings(json).length > 0) return { json, warnings: warnings.slice(0, WARNINGS_MAX) };
  const what =
    warnings.length > 0 ? 'the JSON-LD of the page is invalid' : 'the page has no JobPosting in JSON-LD';
  const hint = `in HTML, only ${LD_JSON_TAG} is supported, not microdata or text. Import the feed of the page's ATS instead`;
  throw createDocumentError(page, what, hint);
}

export function createDocumentError(name: string, what: string, hint?: string): PartnerError {
  return new PartnerError('FILE_INVALID', { message: `${name}: ${what}`, hint });
}

export function jobPostings(json: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const waiting: unknown[] = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (isObject(value) && isJobPosting(value)) found.push(value);
    else {
      const inside = Array.isArray(value) ? value : CONTAINERS.map((container) => getValue(value, container));
      for (const entry of inside.toReversed()) if (typeof entry === 'object') waiting.push(entry);
    }
  }
  return found;
}

function isJobPosting(value: Record<string, unknown>): boolean {
  const types = [value['@type']].flat();
  return types.some((type) => typeof type === 'string' && /(?:^|[/:#])JobPosting$/i.test(type.trim()));
}

/** Accepts JSON as pages contain it: in comments or CDATA, and with raw line breaks in strings. */
function createScriptReader(script: string, valuesMax: number): JsonReader {
  const text = script.replace('<![CDATA[', '').replace(']]>', '');
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const json = text.slice(Math.max(text.search(/[{[]/), 0), end + 1);
  return new JsonReader(json, 0, 0, { hasRawText: true, valuesMax });
}

const MAX_DEPTH = 2_000;

const SCRIPTS_MAX = 50_000;
const CHUNK_CHARACTERS = 64 * 1024;

/** Extracts the JSON-LD scripts of a page without running anything. Throws FILE_INVALID if there are too many. */
export async function ldJsonScripts(html: string, page: string, turn: () => Promise<void>) {
  const { Parser } = await import('htmlparser2');
  const scripts: string[] = [];
  let [depth, tag, isInScript] = [0, '', false];
  const parser = new Parser({
    // Handles attributes one by one, because an object of all attributes can be larger than the page.
    onopentagname(name) {
      tag = name;
      if (++depth > MAX_DEPTH)
        throw createDocumentError(page, 'elements are nested more than 2,000 levels deep');
    },
    onattribute(name, value) {
      if (tag !== 'script' || name !== 'type' || !/^\s*application\/ld\+json\b/i.test(value)) return;
      isInScript = true;
      if (scripts.push('') > SCRIPTS_MAX)
        throw createDocumentError(page, 'the page has more than 50,000 JSON-LD scripts');
    },
    ontext(text) {
      if (isInScript) scripts.push(`${scripts.pop() ?? ''}${text}`);
    },
    onclosetag() {
      depth--;
      isInScript = false;
    },
  });
  for (let at = 0; at < html.length; at += CHUNK_CHARACTERS) {
    parser.write(html.slice(at, at + CHUNK_CHARACTERS));
    await turn();
  }
  parser.end();
  return scripts;
}
