import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Finding } from '../../../src/listings/check/finding.ts';
import { entriesOf } from '../../../src/listings/read/read.ts';
import { temporaryDirectory } from '../../engine/temporary-directory.ts';

/** Each entry of stdin in chunks of so many bytes: its title and place, or where it is wrong. */
async function entriesOfChunks(text: string | Buffer, size: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return shown('-', Readable.from(chunks));
}

async function shown(name: string, stdin = Readable.from([])): Promise<string[]> {
  const entries: string[] = [];
  for await (const { listing, finding } of entriesOf(name, { stdin })) {
    const { line, column } = finding ?? listing.locate(['title']);
    const what = finding === undefined ? (listing.value as { title: unknown }).title : problemOf(finding);
    entries.push(`${(finding ?? listing).index} ${what} ${line}:${column}`);
  }
  return entries;
}

function problemOf({ rule, message }: Finding): string {
  return rule === 'json-syntax' ? rule : message;
}

describe('a file of lines', () => {
  const path = temporaryDirectory();

  async function linesIn(content: string | Buffer): Promise<string[]> {
    await writeFile(path('lines.ndjson'), content);
    return shown(path('lines.ndjson'));
  }

  for (const end of ['\n', '\r\n']) {
    it(`is read the same whatever its chunks, its lines ended by ${JSON.stringify(end)}`, async () => {
      const lines = ['{"title":"Ä"}', '', '{"title":"𝄞","a":1,"title":2}', ' \t', '{"title":"é"}'];
      const text = `\ufeff${lines.join(end)}`;
      const expected = ['0 Ä 1:10', '1 2 3:28', '2 é 5:10'];
      assert.deepEqual(await linesIn(text), expected);
      for (let size = 1; size <= Buffer.byteLength(text); size++) {
        assert.deepEqual(await entriesOfChunks(text, size), expected, `in chunks of ${size} bytes`);
        assert.deepEqual(await entriesOfChunks(text + end, size), expected, `in chunks of ${size} bytes`);
      }
    });
  }

  it('goes on behind a line that is no JSON, and one that is no UTF-8', async () => {
    const text = Buffer.from('{"title":"Ä"}\r\n{"title":"Café"}\r\n{"title":}\n{"title":"C"}');
    const latin = Buffer.concat([text.subarray(0, 29), Buffer.from([0xe9]), text.subarray(31)]);
    const latinAt = '1 byte 30 (0xE9) is not UTF-8 2:14';
    assert.deepEqual(await linesIn(latin), ['0 Ä 1:10', latinAt, '2 json-syntax 3:10', '3 C 4:10']);
  });

  it('ends at a line of more than 4 MiB', async () => {
    const long = `{"title":"${'x'.repeat(5_000_000)}"}`;
    const refused = 'the line has more than 4 MiB, and the file is read no further';
    for (const end of ['\n{"title":"B"}', '']) {
      assert.deepEqual(await linesIn(`{"title":"A"}\n${long}${end}`), ['0 A 1:10', `1 ${refused} 2:1`]);
    }
  });

  it('may be larger than 32 MiB', async () => {
    const line = JSON.stringify({ title: 'Welder', description: 'x'.repeat(100_000) });
    const found = await linesIn(`${line}\n`.repeat(400));
    assert.deepEqual([found.length, found.at(-1)], [400, '399 Welder 400:10']);
  });

  it('is empty where it has no line but blank ones', async () => {
    for (const text of ['', '\n', ' \r\n\t\n', '\ufeff', '\ufeff\n']) {
      assert.deepEqual(await linesIn(text), ['0 the file is empty 1:1'], JSON.stringify(text));
    }
  });

  it('is refused as a whole where it is no text, however long its lines', async () => {
    await symlink('/dev/zero', path('zero.ndjson'));
    assert.deepEqual(await shown(path('zero.ndjson')), ['0 this is no text: byte 1 is NUL 1:1']);
    assert.deepEqual(await linesIn('%PDF-1.7\nx'), ['0 this is a PDF, not text 1:1']);
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
        assert.deepEqual(await entriesOfChunks(text, size), expected, `in chunks of ${size} bytes`);
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
