import type { HtmlToTextOptions } from 'html-to-text';
import options from './html-text.json' with { type: 'json' };
import { cleanLines } from './text.ts';

/** The parser is slow on a deep tree; so many elements are in no posting that a person wrote. */
const TAGS_MAX = 20_000;

const TAG = /<\/?[a-z][^<>]*>|<!--/gi;
const ESCAPED_TAG = /&(?:amp;)?lt;(?:\/?[a-z]|!--)/gi;

/** What is left of an entity that was escaped more often than the tags. */
const ENTITY = /&(?:[a-z]{2,8}|#\d{2,5});/i;

/** Loads the parser; what it gives is the plain text of a piece of HTML, also where it is escaped once or twice more. */
export async function htmlReader(): Promise<(html: string) => string> {
  const { compile } = await import('html-to-text');
  const convert = compile(options as HtmlToTextOptions);
  return (html) => {
    let markup = html;
    // A tag that a text speaks of is escaped too, but has real ones around it.
    for (let times = 0; times < 2 && count(markup, ESCAPED_TAG) > count(markup, TAG); times++) {
      markup = unescaped(markup);
    }
    const tags = count(markup, TAG);
    if (tags === 0) return cleanLines(convert(`<pre>${markup}</pre>`));
    // Some systems give the items of a list alone.
    if (/^\s*<li\b/i.test(markup)) markup = `<ul>${markup}</ul>`;
    const shallow = tags > TAGS_MAX ? markup.replace(/<[^<>]*>/g, ' ') : markup;
    const text = convert(shallow).replace(/^ +(?=\d+\. )/gm, '');
    return cleanLines(ENTITY.test(text) ? convert(`<pre>${text.replaceAll('<', '&lt;')}</pre>`) : text);
  };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|#39|amp);/gi, (_, name: string) => ENTITIES[name.toLowerCase()] ?? '');
}
