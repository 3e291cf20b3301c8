import { deepEqual, equal } from 'node:assert/strict';
import { htmlReader } from '../../../src/import/facts/html-text.ts';
import sample from './html-text.json' with { type: 'json' };

const toText = await htmlReader();

const PAGE = sample.page.join('\n');

describe('HTML as text', () => {
  it('has lines for paragraphs, lists, headings and tables, without scripts, styles, images and URLs', () =>
    deepEqual(toText(PAGE).split('\n'), sample.text));

  it('is the same for HTML that is escaped once or twice more, also partly', () => {
    const escaped = (html: string) =>
      html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    deepEqual(toText(escaped(PAGE)).split('\n'), sample.text);
    deepEqual(toText(escaped(escaped(PAGE))).split('\n'), sample.text);
    deepEqual(toText(`${escaped(PAGE)}<img src="x">`).split('\n'), sample.text);
    equal(toText('<p>The &lt;div&gt; tag</p>'), 'The <div> tag');
    equal(toText('<p>Plan &amp;amp; build &amp;mdash; R&D</p>'), 'Plan & build — R&D');
  });

  it('keeps the lines of text without tags, and handles items without a list', () => {
    equal(
      toText('We pay well &amp; on time.\n\n  - One\n5 < 6 years'),
      'We pay well & on time.\n\n  - One\n5 < 6 years',
    );
    equal(toText('<li>One</li><li>Two</li>'), '- One\n- Two');
  });

  for (const [name, html] of Object.entries({
    'elements nested 100,000 deep': `${'<div>'.repeat(100_000)}Text${'</div>'.repeat(100_000)}`,
    'tables nested 60,000 deep': `${'<table><tr><td>'.repeat(60_000)}Text`,
    'lists that never end': `${'<ul><li>'.repeat(50_000)}Text`,
    'a comment that never ends': `Text<!--${'x'.repeat(1_000_000)}`,
    'a tag that never ends': `Text<a ${'b="c" '.repeat(150_000)}`,
    'a million spaces': `<p>${'&nbsp;'.repeat(150_000)}Text${' '.repeat(800_000)}</p>`,
    'a megabyte of paragraphs': `<b>Text</b>${'<p></p>'.repeat(140_000)}`,
  }))
    it(`is fast for ${name}`, () => equal(toText(html).trim(), 'Text'));
});
