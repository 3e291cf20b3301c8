import { PartnerError } from '../../contract/errors.ts';
import { isObject } from '../../contract/values.ts';
import { valueAt } from './systems/values.ts';

const LD_JSON_TAG = '<script type="application/ld+json">';

/** Where other objects of a page stand; whatever else an object refers to is no posting of its own. */
const CONTAINERS = ['@graph', 'itemListElement', 'item', 'mainEntity', 'mainEntityOfPage', 'hasPart'];

/** The values of a page's scripts of JSON-LD; one that is no JSON is a warning. Throws FILE_INVALID without a JobPosting. */
export function jsonLdOf(scripts: readonly string[], page: string) {
  const values = scripts.map(parsed);
  const broken = values.flatMap((value, index) => (value === undefined ? [index + 1] : []));
  const warnings = broken.map(
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
