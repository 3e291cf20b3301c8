import type { HtmlToTextOptions } from 'html-to-text';
import { decodeEntities } from '../../text/html-entities.ts';
import { cleanLines } from '../../text/words.ts';
import options from './html-text.json' with { type: 'json' };

/** Limit for the parser, which is slow on a deep tree. Real postings have fewer elements. */
const TAGS_MAX = 20_000;

const TAG = /<\/?[a-z][^<>]*>|<!--/gi;
const ESCAPED_TAG = /&(?:amp;)?lt;(?:\/?[a-z]|!--)/gi;

/** Detects entities that were escaped more often than the tags. */
const ENTITY = /&(?:[a-z]{2,8}|#\d{2,5});/i;

export async function htmlReader(): Promise<(html: string) => string> {
  const { compile } = await import('html-to-text');
  const selectors = options.selectors.flatMap(({ elements, ...how }) =>
    elements.map((selector) => ({ selector, ...how })),
  );
  const convert = compile({ ...options, selectors } as HtmlToTextOptions);
  return (html) => {
    let markup = html;
    // A posting can mention an escaped tag, but then it also has unescaped ones.
    for (let times = 0; times < 2 && count(markup, ESCAPED_TAG) > count(markup, TAG); times++)
      markup = decodeEntities(markup);
    const tags = count(markup, TAG);
    if (tags === 0) return cleanLines(convert(`<pre>${markup}</pre>`));
    // Some systems send list items without the list.
    if (/^\s*<li\b/i.test(markup)) markup = `<ul>${markup}</ul>`;
    const shallow = tags > TAGS_MAX ? markup.replace(/<[^<>]*>/g, ' ') : markup;
    const text = convert(shallow).replace(/^ +(?=\d+\. )/gm, '');
    return cleanLines(ENTITY.test(text) ? convert(`<pre>${text.replaceAll('<', '&lt;')}</pre>`) : text);
  };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
