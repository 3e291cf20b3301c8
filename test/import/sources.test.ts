import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PartnerError } from '../../src/contract/errors.ts';
import { readSource, type SourceContext } from '../../src/import/sources.ts';
import { failureOf } from '../client/client-under-test.ts';
import refusedSources from './refused-sources.json' with { type: 'json' };

const fixture = (name: string): string => new URL(`../fixtures/import/${name}`, import.meta.url).pathname;
const lever = readFileSync(fixture('lever.json'), 'utf8');

type SourceReading = ReturnType<typeof readSource> extends AsyncIterable<infer Reading> ? Reading : never;

async function readingsOf(source: string, given: Partial<SourceContext> = {}): Promise<SourceReading[]> {
  const readAddress = () => Promise.reject(new Error('no address is read here'));
  const readings: SourceReading[] = [];
  for await (const one of readSource(source, { stdin: process.stdin, readAddress, ...given }))
    readings.push(one);
  return readings;
}

const shown = (readings: readonly SourceReading[]) =>
  readings.map(({ name, system, postings, unlistedCount }) => [
    name,
    system.title,
    postings.length,
    unlistedCount,
  ]);

describe('a source of an import', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'partner-sources-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const written = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('can be a file with any name, with or without a byte order mark', async () => {
    for (const content of [lever, `\ufeff${lever}`]) {
      const file = written('postings.txt', content);
      assert.deepEqual(shown(await readingsOf(file)), [[file, 'Lever', 11, 1]]);
    }
  });

  it('can be a directory, with its .json, .xml and .html files in order', async () => {
    for (const name of ['workable.json', 'greenhouse.json']) written(name, readFileSync(fixture(name)));
    written('notes.md', 'not a feed');
    mkdirSync(join(folder, 'older.json.d'));
    assert.deepEqual(shown(await readingsOf(folder)), [
      [join(folder, 'greenhouse.json'), 'Greenhouse', 12, 0],
      [join(folder, 'workable.json'), 'Workable', 12, 1],
    ]);
  });

  it('is stdin for -', async () =>
    assert.deepEqual(shown(await readingsOf('-', { stdin: Readable.from([lever]) })), [
      ['stdin', 'Lever', 11, 1],
    ]));

  for (const [source, address] of JSON.parse(readFileSync(new URL('boards.json', import.meta.url), 'utf8')))
    it(`${source} is read from ${address}`, async () => {
      const read: string[] = [];
      const readAddress = async (url: string) => {
        read.push(url);
        return { bytes: Buffer.from('[]') };
      };
      await readingsOf(source, { readAddress }).catch(() => undefined);
      assert.deepEqual(read, [address]);
    });

  it('can be a board without postings', async () => {
    const readAddress = async () => ({ bytes: Buffer.from('[]') });
    const address = 'https://api.lever.co/v0/postings/acme?mode=json';
    assert.deepEqual(shown(await readingsOf('lever:acme', { readAddress })), [[address, 'Lever', 0, 0]]);
  });

  it('can be a board with questions, and keeps a posting that no longer exists', async () => {
    const { jobs } = JSON.parse(readFileSync(fixture('greenhouse.json'), 'utf8'));
    const detailed = JSON.parse(readFileSync(fixture('greenhouse-questions.json'), 'utf8'));
    const readAddress = async (url: string) => {
      const id = /jobs\/(\d+)\?questions=true/.exec(url)?.[1];
      if (id === undefined) return { bytes: Buffer.from(JSON.stringify({ jobs: jobs.slice(0, 3) })) };
      if (id === '4100001') throw new PartnerError('NOT_FOUND', { status: 404 });
      return {
        bytes: Buffer.from(JSON.stringify(detailed.find((job: { id: number }) => String(job.id) === id))),
      };
    };
    const [plain] = await readingsOf('greenhouse:harborbrew', { readAddress });
    const [asked] = await readingsOf('greenhouse:harborbrew', { readAddress, withQuestions: true });
    const counts = (one?: SourceReading) => one?.postings.map(({ fields }) => fields.questions?.value.length);
    assert.deepEqual(counts(plain), [undefined, undefined, undefined]);
    assert.deepEqual(counts(asked), [20, undefined, 6]);
  });

  for (const [source, message] of refusedSources as [string, string][])
    it(`${source} is refused before anything is read`, async () =>
      assert.match((await failureOf(readingsOf(source), 'USAGE')).message, new RegExp(message)));

  it('can have a declared encoding, and is refused with the byte if none is declared', async () => {
    const title = 'Küchenhilfe';
    const json = JSON.stringify([{ ...JSON.parse(lever)[0], text: title }]);
    const titleOf = ([one]: readonly SourceReading[]) => one?.postings[0]?.fields.title?.value;
    const utf16 = written('a.json', Buffer.from(`\ufeff${json}`, 'utf16le'));
    assert.equal(titleOf(await readingsOf(utf16)), title);
    for (const [encoding, contentType] of [
      ['latin1', 'application/json; charset=ISO-8859-1'],
      ['utf8', 'application/json; charset=ISO-8859-1'],
    ] as const) {
      const readAddress = async () => ({ bytes: Buffer.from(json, encoding), contentType });
      assert.equal(titleOf(await readingsOf('https://x.example/', { readAddress })), title);
    }
    const silent = await failureOf(
      readingsOf(written('b.json', Buffer.from(json, 'latin1'))),
      'FILE_INVALID',
    );
    assert.match(silent.message, /b\.json: byte \d+ \(0xFC\) isn't UTF-8$/);
  });

  it('with a misspelled system causes a suggestion', async () => {
    const { hint } = await failureOf(readingsOf('greenhuose:acme'), 'USAGE');
    assert.equal(hint, 'did you mean greenhouse:acme?');
  });

  it("is reported by name if it's incomplete, unknown, empty or too large", async () => {
    for (const [content, message] of [
      [lever.slice(0, -40), /x:\d+:\d+: /],
      ['%PDF-1.7', /x: expected text, got a PDF$/],
      ['', /x is empty$/],
      [`${'['.repeat(5e6)}${']'.repeat(5e6)}`, /x:1:\d+: .* nested more than 64 levels deep$/],
      ['title,city\nWelder,Reno\n', /x is not JSON, XML or HTML$/],
      [Buffer.alloc(33 * 1024 * 1024, ' '), /x: the file has 33 MiB \(maximum 32 MiB\)$/],
    ] as const) {
      const error = await failureOf(readingsOf(written('x', content)), 'FILE_INVALID');
      assert.match(error.message, message);
    }
    assert.match(
      (await failureOf(readingsOf(join(folder, 'none')), 'FILE_UNREADABLE')).message,
      /no such file/,
    );
    rmSync(join(folder, 'x'));
    await failureOf(readingsOf(folder), 'FILE_UNREADABLE');
  });
});
