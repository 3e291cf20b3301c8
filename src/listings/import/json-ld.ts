import { PartnerError } from '../../contract/errors.ts';
import { DOCUMENT_VALUES_MAX, JsonReader } from '../../contract/json/reader.ts';
import { Malformed, TooMuch } from '../../contract/json/words.ts';
import { isObject } from '../../contract/values.ts';
import { valueAt } from './systems/values.ts';

const LD_JSON_TAG = '<script type="application/ld+json">';

/** Where other objects of a page stand; whatever else an object refers to is no posting of its own. */
const CONTAINERS = ['@graph', 'itemListElement', 'item', 'mainEntity', 'mainEntityOfPage', 'hasPart'];

const WARNINGS_MAX = 20;

/** The values of a page's scripts of JSON-LD; one that is no JSON is a warning. Throws FILE_INVALID without a JobPosting. */
export function jsonLdOf(scripts: readonly string[], page: string) {
  let valuesLeft = DOCUMENT_VALUES_MAX;
  const values = scripts.map((script) => {
    const reader = readerOf(script, valuesLeft);
    try {
      return reader.readWhole();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      if (!(error instanceof TooMuch)) return undefined;
      throw new PartnerError('FILE_INVALID', { message: `${page}: ${error.message}`, hint: error.hint });
    } finally {
      valuesLeft -= reader.values;
    }
  });
  const broken = values.flatMap((value, index) => (value === undefined ? [index + 1] : []));
  const warnings = broken
    .slice(0, WARNINGS_MAX)
    .map(
      (number) => `${page}: the JSON-LD of script ${number} of ${scripts.length} is broken, and is left out`,
    );
  if (jobPostings(values).length > 0)
    return { json: values.filter((value) => value !== undefined), warnings };
  const what =
    broken.length > 0 ? 'the JSON-LD of the page is broken' : 'the page has no JobPosting in JSON-LD';
  const hint = `only ${LD_JSON_TAG} is read of HTML, no microdata and no text: import the feed of the system behind it`;
  throw new PartnerError('FILE_INVALID', { message: `${page}: ${what}`, hint });
}

/** The JobPosting objects of JSON-LD, wherever they stand in lists and graphs. */
export function jobPostings(json: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const waiting: unknown[] = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (isObject(value) && isJobPosting(value)) found.push(value);
    else {
      const inside = Array.isArray(value) ? value : CONTAINERS.map((container) => valueAt(value, container));
      for (const entry of inside.toReversed()) if (typeof entry === 'object') waiting.push(entry);
    }
  }
  return found;
}

function isJobPosting(value: Record<string, unknown>): boolean {
  const types = [value['@type']].flat();
  return types.some((type) => typeof type === 'string' && /(?:^|[/:#])JobPosting$/i.test(type.trim()));
}

/** Reads JSON as pages have it: in a comment or CDATA, and with raw line breaks in its texts. */
function readerOf(script: string, valuesMax: number): JsonReader {
  const text = script.replace('<![CDATA[', '').replace(']]>', '');
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const json = text.slice(Math.max(text.search(/[{[]/), 0), end + 1);
  return new JsonReader(json, 0, 0, { hasRawText: true, valuesMax });
}

const MAX_DEPTH = 2_000;

/** The scripts of JSON-LD in a page; nothing of it runs. */
export async function ldJsonScripts(html: string, page: string): Promise<string[]> {
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
