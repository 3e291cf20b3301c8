import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { entriesIn, entriesOf } from '../../../src/listings/read/read.ts';
import { readListings } from '../listing.ts';

const untouched = new Readable({ read: () => assert.fail('stdin was read') });

/** The bytes in chunks of so many, each written over by the next, as a file is read. */
async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size)
    yield chunk.subarray(0, bytes.copy(chunk, 0, at, at + size));
}

/** Each entry of a text in chunks of so many bytes: its title and place, or where it is wrong. */
async function entriesOfChunks(
  text: string | Buffer,
  size: number,
  file = 'lines.ndjson',
): Promise<string[]> {
  const entries: string[] = [];
  for await (const { listing, finding } of entriesIn(file, inChunks(Buffer.from(text), size))) {
    const { line, column } = finding ?? listing.locate(['title']);
    const what = finding === undefined ? (listing.value as { title: unknown }).title : finding.rule;
    entries.push(`${(finding ?? listing).index} ${what} ${line}:${column}`);
  }
  return entries;
}

describe('a file of lines', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'intake-lines-'));
  });
  after(() => rm(directory, { recursive: true }));

  for (const end of ['\n', '\r\n', '\r']) {
    it(`is read the same whatever its chunks, its lines ended by ${JSON.stringify(end)}`, async () => {
      const lines = [
        '{"title":"Ä"}',
        '',
        '{"title":"𝄞","a":1,"title":2}',
        ' \t',
        '{"title":}',
        '{"title":"é"}',
      ];
      const text = `\ufeff${lines.join(end)}`;
      const expected = ['0 Ä 1:10', '1 2 3:28', '2 json-syntax 5:10', '3 é 6:10'];
      for (let size = 1; size <= Buffer.byteLength(text); size++) {
        assert.deepEqual(await entriesOfChunks(text, size), expected, `in chunks of ${size} bytes`);
        assert.deepEqual(await entriesOfChunks(text + end, size), expected, `in chunks of ${size} bytes`);
      }
    });
  }

  it('ends its lines where they end, past the empty chunks of a pipe', async () => {
    const chunks = ['{"title":"A"}\r', '', '\n', '', '{"title":"B"}'];
    const { listings } = await readListings('-', Readable.from(chunks, { objectMode: true }));
    assert.deepEqual(
      listings.map((listing) => listing.locate(['title']).line),
      [1, 2],
    );
  });

  it('tells of a line that is no UTF-8 where it stands, and reads the rest', async () => {
    const text = Buffer.from('{"title":"Ä"}\r\n{"title":"Café"}\r\n{"title":"C"}');
    const latin = Buffer.concat([text.subarray(0, 29), Buffer.from([0xe9]), text.subarray(31)]);
    for (const size of [7, 4096]) {
      assert.deepEqual(await entriesOfChunks(latin, size), ['0 Ä 1:10', '1 file-content 2:14', '2 C 3:10']);
    }
    const path = join(directory, 'latin.ndjson');
    await writeFile(path, latin);
    const { findings } = await readListings(path, untouched);
    assert.match(findings[0]?.message ?? '', /^byte 30 \(0xE9\) is not UTF-8$/);
  });

  it('goes on behind a line of 5 MB, which is one finding', async () => {
    const long = `{"title":"${'x'.repeat(5_000_000)}"}`;
    for (const size of [1000, 256 * 1024, 6_000_000]) {
      assert.deepEqual(await entriesOfChunks(`{"title":"A"}\n${long}\n{"title":"B"}`, size), [
        '0 A 1:10',
        '1 body-size 2:1',
        '2 B 3:10',
      ]);
    }
    assert.deepEqual(await entriesOfChunks(long, 64 * 1024), ['0 body-size 1:1']);
  });

  it('may be larger than 32 MiB', async () => {
    const line = JSON.stringify({ title: 'Welder', description: 'x'.repeat(100_000) });
    const path = join(directory, 'large.jsonl');
    await writeFile(path, `${line}\n`.repeat(400));
    const { listings, findings } = await readListings(path, untouched);
    assert.deepEqual([listings.length, findings.length], [400, 0]);
  });

  it('is empty where it has no line but blank ones', async () => {
    for (const text of ['', '\n', ' \r\n\t\n', '\ufeff', '\ufeff\n']) {
      assert.deepEqual(await entriesOfChunks(text, 1), ['0 file-content 1:1']);
    }
  });

  it('is refused as a whole where it is no text, however long its lines', async () => {
    const path = join(directory, 'zero.ndjson');
    await symlink('/dev/zero', path);
    const { listings, findings } = await readListings(path, untouched);
    assert.deepEqual([listings.length, findings.length], [0, 1]);
    assert.match(findings[0]?.message ?? '', /byte 1 is NUL/);
  });
});

describe('stdin', () => {
  for (const [what, text, expected] of [
    ['one listing over many lines', '{\n "title": "A",\n "locations": []\n}\n', ['0 A 2:11']],
    ['one whose first line ends with a brace', '{ "budgets": [{}\n ], "title": "A" }', ['0 A 2:14']],
    ['one on one line, without an end', '{"title":"A"}', ['0 A 1:10']],
    ['one on one line', '{"title":"A"}\n', ['0 A 1:10']],
    ['an array over many lines', '[\n{"title":"A"},\n{"title":"B"}\n]', ['0 A 2:10', '1 B 3:10']],
    ['one on each line', '\n{"title":"A"}\r\n\r\n{"title":"B"}', ['0 A 2:10', '1 B 4:10']],
    ['one on each line, the first broken', '{"title":}\n{"title":"B"}', ['0 json-syntax 1:10', '1 B 2:10']],
    ['one on each line, the second broken', '{"title":"A"}\n"title"}', ['0 A 1:10', '1 json-syntax 2:8']],
  ] as const) {
    it(`holds ${what}, whatever the chunks`, async () => {
      for (let size = 1; size <= text.length; size++) {
        assert.deepEqual(await entriesOfChunks(text, size, 'stdin'), expected, `in chunks of ${size} bytes`);
      }
    });
  }

  it('is read as its listings are asked for, and closed where no more are', async () => {
    const stdin = new Readable({ read() {} });
    stdin.push('{"title":"A"}\n{"title"');
    const entries = entriesOf('-', { stdin });
    stdin.push(Buffer.alloc(4096, ' '));
    assert.deepEqual((await entries.next()).value?.listing?.value, { title: 'A' });
    await entries.return(undefined);
    assert.ok(stdin.destroyed);
  });
});
