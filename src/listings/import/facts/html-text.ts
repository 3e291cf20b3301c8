import type { HtmlToTextOptions } from 'html-to-text';
import { cleanLines } from './text.ts';

const block = (selector: string, around: number, after = around, format = 'block') => ({
  selector,
  format,
  options: { leadingLineBreaks: around, trailingLineBreaks: after, uppercase: false },
});
const skipped = (selector: string) => ({ selector, format: 'skip' });

/** The parser is slow on a deep tree; so many elements are in no posting that a person wrote. */
const TAGS_MAX = 20_000;

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 80, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'ul', options: { itemPrefix: '- ', leadingLineBreaks: 1, trailingLineBreaks: 2 } },
    { selector: 'ol', options: { leadingLineBreaks: 1, trailingLineBreaks: 2 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((heading) => block(heading, 2, 1, 'heading')),
    ...['section', 'address', 'dt', 'dd', 'figure', 'tr'].map((selector) => block(selector, 1)),
    block('li > p', 1, 1, 'paragraph'),
    { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
    { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
    ...['img', 'svg', 'iframe', 'object', 'video', 'audio', 'canvas', 'noscript', 'template'].map(skipped),
    ...['script', 'style', 'title', 'button', 'select', 'textarea', 'hr'].map(skipped),
  ],
};

const TAG = /<\/?[a-z][^<>]*>|<!--/gi;
const ESCAPED_TAG = /&(?:amp;)?lt;(?:\/?[a-z]|!--)/gi;

/** What is left of an entity that was escaped more often than the tags. */
const ENTITY = /&(?:[a-z]{2,8}|#\d{2,5});/i;

/** Loads the parser; what it gives is the plain text of a piece of HTML, also where it is escaped once or twice more. */
export async function htmlReader(): Promise<(html: string) => string> {
  const { compile } = await import('html-to-text');
  const convert = compile(OPTIONS);
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
