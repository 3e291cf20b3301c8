import { PartnerError } from '../../contract/errors.ts';
import { isObject } from '../../contract/values.ts';
import { valueAt } from './systems/values.ts';

const MAX_DEPTH = 2_000;

/** Where other objects of a page stand; whatever else an object refers to is no posting of its own. */
const CONTAINERS = ['@graph', 'itemListElement', 'item', 'mainEntity', 'mainEntityOfPage', 'hasPart'];

/**
 * The values of a page's JSON-LD scripts, of which nothing runs. A script that is no JSON is a warning. Throws
 * FILE_INVALID for a page without a JobPosting.
 */
export async function jsonLdIn(
  html: string,
  name: string,
): Promise<{ values: readonly unknown[]; warnings: readonly string[] }> {
  const values: unknown[] = [];
  const warnings: string[] = [];
  const scripts = await scriptsIn(html, name);
  for (const [index, script] of scripts.entries()) {
    const value = parsed(script);
    if (value !== undefined) values.push(value);
    else
      warnings.push(
        `${name}: the JSON-LD of script ${index + 1} of ${scripts.length} is broken, and is left out`,
      );
  }
  if (jobPostings(values).length > 0) return { values, warnings };
  throw new PartnerError('FILE_INVALID', {
    message: `${name}: ${warnings.length > 0 ? 'the JSON-LD of the page is broken' : 'the page has no JobPosting in JSON-LD'}`,
    hint: 'only <script type="application/ld+json"> is read of HTML, no microdata and no text: import the feed of the system behind the page',
  });
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

async function scriptsIn(html: string, name: string): Promise<string[]> {
  const { Parser } = await import('htmlparser2');
  const scripts: string[] = [];
  let depth = 0;
  let isInScript = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (++depth > MAX_DEPTH) {
        throw new PartnerError('FILE_INVALID', {
          message: `${name}: elements are nested more than 2,000 deep`,
        });
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

/** JSON as pages have it: in a comment or CDATA, with raw line breaks, a comma too many, or escaped as HTML. */
function parsed(script: string): unknown {
  for (const attempt of [() => script, () => repaired(script), () => repaired(unescaped(script))]) {
    try {
      return JSON.parse(attempt());
    } catch {
      // The next attempt reads it more freely.
    }
  }
  return undefined;
}

function repaired(script: string): string {
  const text = script.replace('<![CDATA[', '').replace(']]>', '');
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return text
    .slice(Math.max(text.search(/[{[]/), 0), end + 1)
    .replace(/"[^"\\]*(?:\\.[^"\\]*)*"|,(?=\s*[}\]])/gs, (token) =>
      token === ',' ? '' : token.replace(/[\x00-\x1f]/g, (raw) => JSON.stringify(raw).slice(1, -1)),
    );
}

function unescaped(text: string): string {
  return text.replace(/&(?:quot|#0*34|#x0*22);/gi, '"').replace(/&amp;/gi, '&');
}
