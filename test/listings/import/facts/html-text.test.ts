import { deepEqual, equal } from 'node:assert/strict';
import { htmlReader } from '../../../../src/listings/import/facts/html-text.ts';

const toText = await htmlReader();

const PAGE = `<style>.x{}</style><h2>About <b>us</b></h2><p>We fix&nbsp;boats in <a href="https://x.example/?utm_source=a">Reno</a>.</p>
<ul><li><p>One</p></li><li>Two<ul><li>Within</li></ul></li></ul><ol><li>First<li>Second</ol>
<script>alert(1)</script><img src="https://t.example/p.gif" width="1"><p>Line<br>break\u200b</p><!-- note --><noscript>no</noscript>
<table><tr><td>Pay</td><td>$20</td></tr><tr><td>Shift</td><td>Day</td></tr></table>`;

const LINES = [
  'About us',
  '',
  'We fix boats in Reno.',
  '',
  '- One',
  '- Two',
  '  - Within',
  '',
  '1. First',
  '2. Second',
  '',
  'Line',
  'break',
  '',
  'Pay $20',
  'Shift Day',
];

describe('HTML as text', () => {
  it('paragraphs, lists, headings and tables are lines; scripts, styles, pictures and addresses are gone', () => {
    deepEqual(toText(PAGE).split('\n'), LINES);
  });

  it('HTML that is escaped once or twice more reads the same, also in part', () => {
    const escaped = (html: string) =>
      html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    deepEqual(toText(escaped(PAGE)).split('\n'), LINES);
    deepEqual(toText(escaped(escaped(PAGE))).split('\n'), LINES);
    deepEqual(toText(`${escaped(PAGE)}<img src="x">`).split('\n'), LINES);
    equal(toText('<p>The &lt;div&gt; tag</p>'), 'The <div> tag');
    equal(toText('<p>Plan &amp;amp; build &amp;mdash; R&D</p>'), 'Plan & build — R&D');
  });

  it('a text without tags keeps its lines, and items alone are a list', () => {
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
  })) {
    it(`${name}: the text, long before the time limit`, () => equal(toText(html).trim(), 'Text'));
  }
});
