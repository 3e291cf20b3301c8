import { deepEqual, equal, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parseDocument as documentOfBytes } from '../../src/import/documents.ts';
import { SYSTEMS } from '../../src/import/systems/index.ts';
import { createTurns } from '../../src/listings/read/bytes.ts';
import { childScript } from '../child-script.ts';
import { itAtLength, times } from '../times.ts';
import { documentOf, postingsOf } from './feed-documents.ts';
import refused from './hostile-feeds.json' with { type: 'json' };

const JOB = '<job><title>Driver</title><url>https://jobs.example.com/1</url></job>';
const POSTING = '{"@type":"JobPosting","title":"Driver"}';

function ldJson(json: string): string {
  return `<script type="application/ld+json">${json}</script>`;
}

function page(content: string): string {
  return `<!doctype html><html><body>${content}</body></html>`;
}

type Parts = (string | [string, number])[];

/** Title, parts of the document with the number of repetitions, the expected message, and whether it takes long. */
const REFUSED = refused as [what: string, parts: Parts, says: string, isLong?: boolean][];

describe('a hostile feed', () => {
  for (const [what, parts, says, isLong = false] of REFUSED) {
    const text = () =>
      parts.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');
    (isLong ? itAtLength : it)(`is refused with a short message and its position: ${what}`, async () => {
      const message = new RegExp(`^(?!.{200}).*${says}`, 's');
      await rejects(async () => documentOf('feed.xml', text()), { code: 'FILE_INVALID', message });
    });
  }

  it('never loads an external DOCTYPE or decodes an unknown entity', async () => {
    const feed = `<!DOCTYPE source SYSTEM "http://127.0.0.1:1/x.dtd"><source>${JOB.replace('Driver', '&x;&nbsp;&lt;b>&#x41;')}</source>`;
    const { postings } = await postingsOf('indeed', await documentOf('feed.xml', feed));
    equal(postings[0]?.fields.title?.value, '&x;&nbsp;<b>A');
  });

  const [characters, scriptCount] = [times(4_000_000, 20_000_000), times(2_000, 10_000)];
  it(`is accepted if it's only large: ${characters} characters in an element, ${scriptCount} scripts, a script of 5 MB`, async () => {
    const long = 'x'.repeat(characters);
    const feed = await documentOf('feed.xml', `<source>${JOB.replace('Driver', long)}</source>`);
    const [posting] = (await postingsOf('indeed', feed)).postings;
    equal(posting?.fields.title?.value, long);
    const scripts = page(`${ldJson('{"@type":"Thing"}').repeat(scriptCount)}${ldJson(POSTING)}`);
    const large = page(ldJson(POSTING.replace('Driver', 'line\n'.repeat(1_000_000))));
    for (const html of [scripts, large, page(ldJson(POSTING).replace('</script>', ''))])
      equal((await postingsOf('schema.org', await documentOf('jobs.html', html))).postings.length, 1);
  });

  it('is recognized by its content, not by its name', async () => {
    const document = await documentOf('feed.xml', `[${POSTING}]`);
    deepEqual((await postingsOf('schema.org', document)).postings.length, 1);
    equal((await SYSTEMS.indeed()).recognises(document), false);
  });

  it('runs no scripts of a page', async () => {
    const run = `<script>globalThis.wasRun = true</script><img src=x onerror="globalThis.wasRun = true">${ldJson(POSTING)}`;
    await documentOf('jobs.html', page(run));
    equal(Object.hasOwn(globalThis, 'wasRun'), false);
  });

  for (const [what, text] of Object.entries({ page: '<html>', feed: '<source></source>' }))
    it(`stops within a ${what} on Ctrl-C`, async () => {
      const turn = createTurns(AbortSignal.abort());
      await rejects(documentOfBytes('-', { bytes: Buffer.from(text) }, turn), { code: 'INTERRUPTED' });
    });

  const [count, megabytes] = [times(10_000, 100_000), times(16, 100)];
  it(`of ${count} postings is read one by one with ${megabytes} MB`, async () => {
    const script = await childScript(`
      import { readXml } from './src/import/xml.ts';
      const job = '<job><title>Driver</title>' + '<field>a value</field>'.repeat(20) + '</job>';
      const feed = await readXml('<source>' + job.repeat(${count}) + '</source>', 'feed.xml', async () => {});
      let count = 0;
      for (const { title } of feed.elements('job')) if (title === 'Driver') count++;
      console.log(count);`);
    const args = [`--max-old-space-size=${megabytes}`, script];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    equal(stdout, `${count}\n`);
  });
});
