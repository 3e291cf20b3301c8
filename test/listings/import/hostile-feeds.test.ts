import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { PartnerError } from '../../../src/contract/errors.ts';
import { SYSTEMS } from '../../../src/listings/import/systems/index.ts';
import { documentOf, postingsOf } from './feed-documents.ts';

const JOB = '<job><title>Driver</title><url>https://jobs.example.com/1</url></job>';
const POSTING = '{"@type":"JobPosting","title":"Driver"}';
const LAUGHS = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');

function ldJson(json: string): string {
  return `<script type="application/ld+json">${json}</script>`;
}

function page(content: string): string {
  return `<!doctype html><html><body>${content}</body></html>`;
}

/** What a document holds, the document, and what is said of it. */
const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  [
    'a billion laughs',
    `<!DOCTYPE s [<!ENTITY l0 "lol">${LAUGHS}]><source>&l9;</source>`,
    /:1: .*entities of its own/,
  ],
  [
    'an external entity',
    '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<source>&x;</source>',
    /:1: .*entities/,
  ],
  [
    'an entity from elsewhere',
    '<!DOCTYPE s [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]><source/>',
    /:1: .*entities/,
  ],
  ['an entity in the middle', `<source>\n<!ENTITY x "y">${JOB}</source>`, /:2: .*entities/],
  ['a hundred thousand levels', '<source>'.repeat(100_000), /:1: elements are nested deeper than 100/],
  [
    'six million elements',
    `<source>${'<a/>'.repeat(6_000_000)}</source>`,
    /:1: there are more elements than 5,000,000/,
  ],
  [
    'a million attributes',
    `<source${' a'.repeat(1_000_000)}/>`,
    /:1: an element has more attributes than 1,000/,
  ],
  [
    'a feed cut in an element',
    `<source>\n${JOB}\n<job>\n<title>Dri`,
    /:4: <title> is not closed: the XML is cut/,
  ],
  ['a feed cut in a tag', `<source>\n${JOB}\n<jo`, /:1: <source> is not closed/],
  ['a feed cut in a CDATA section', '<source>\n<job><title><![CDATA[Dri', /:2: <title> is not closed/],
  [
    'elements that end in each other',
    '<source>\n<job><title>Driver</job></title></source>',
    /:2: <title> is not closed/,
  ],
  ['an end of another name', '<source><job>\n</jobs></source>', /:1: <job> is not closed/],
  ['five million angle brackets', '<'.repeat(5_000_000), /no XML element|is not closed/],
  ['no element', '< 3', /:1: it holds no XML element/],
  ['the HTML of an error', page('<h1>404</h1>'), /the page has no JobPosting in JSON-LD/],
  [
    'microdata',
    page('<div itemscope itemtype="https://schema.org/JobPosting"></div>'),
    /no JobPosting in JSON-LD/,
  ],
  ['a page of divisions in each other', page('<div>'.repeat(100_000)), /nested more than 2,000 deep/],
  [
    'JSON-LD that is cut',
    page(`<script type="application/ld+json">{"@type":"JobPosting",`),
    /the JSON-LD of the page is broken/,
  ],
  ['five million quotes', page(ldJson('"'.repeat(5_000_001))), /JSON-LD of the page is broken/],
  ['five million spaces', page(ldJson(`{"@type":"JobPosting",${' '.repeat(5_000_000)}`)), /broken/],
  ['five million brackets', page(ldJson('['.repeat(5_000_000))), /broken/],
];

describe('a hostile feed', () => {
  for (const [what, text, expected] of REFUSED) {
    it(`is refused with its place: ${what}`, async () => {
      await rejects(
        async () => documentOf('feed.xml', text),
        (error) => {
          ok(error instanceof PartnerError);
          equal(error.code, 'FILE_INVALID');
          ok(error.message.length < 200, error.message);
          match(error.message, expected);
          return true;
        },
      );
    });
  }

  it('is text and nothing else where it names an outside DOCTYPE or an entity that XML does not have', async () => {
    const feed = `<!DOCTYPE source SYSTEM "http://127.0.0.1:1/x.dtd"><source>${JOB.replace('Driver', '&x;&nbsp;&lt;b>&#x41;')}</source>`;
    const { postings } = await postingsOf('indeed', await documentOf('feed.xml', feed));
    equal(postings[0]?.fields.title?.value, '&x;&nbsp;<b>A');
  });

  it('is read where it is only large: 20 MB in one element, ten thousand scripts, a script of 5 MB', async () => {
    const long = 'x'.repeat(20_000_000);
    const feed = await documentOf('feed.xml', `<source>${JOB.replace('Driver', long)}</source>`);
    const [posting] = (await postingsOf('indeed', feed)).postings;
    equal(posting?.fields.title?.value, long);
    const scripts = page(`${ldJson('{"@type":"Thing"}').repeat(10_000)}${ldJson(POSTING)}`);
    const large = page(ldJson(POSTING.replace('Driver', 'line\n'.repeat(1_000_000))));
    for (const html of [scripts, large, page(ldJson(POSTING).replace('</script>', ''))]) {
      equal((await postingsOf('schema.org', await documentOf('jobs.html', html))).postings.length, 1);
    }
  });

  it('is recognised by what it holds, whatever its name says', async () => {
    const document = await documentOf('feed.xml', `[${POSTING}]`);
    deepEqual((await postingsOf('schema.org', document)).postings.length, 1);
    equal((await SYSTEMS.indeed()).recognises(document), false);
  });

  it('runs nothing of a page', async () => {
    const run = `<script>globalThis.wasRun = true</script><img src=x onerror="globalThis.wasRun = true">${ldJson(POSTING)}`;
    await documentOf('jobs.html', page(run));
    equal(Object.hasOwn(globalThis, 'wasRun'), false);
  });

  it('of a hundred thousand postings is walked one after the other in 100 MB', () => {
    const script = `
      import { readXml } from './src/listings/import/xml.ts';
      const job = '<job><title>Driver</title>' + '<field>a value</field>'.repeat(20) + '</job>';
      const feed = await readXml('<source>' + job.repeat(100_000) + '</source>', 'feed.xml');
      let count = 0;
      for (const { title } of feed.elements('job')) if (title === 'Driver') count++;
      console.log(count);`;
    const args = ['--max-old-space-size=100', '--import=tsx', '--input-type=module', '-e', script];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    equal(stdout, '100000\n');
  });
});
