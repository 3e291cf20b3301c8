import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import type { Finding } from '../../../src/listings/check/finding.ts';
import { readEntries, readInput } from '../../../src/listings/read/read.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import { temporaryDirectory } from '../../engine/temporary-directory.ts';
import { itAtLength } from '../../times.ts';
import { readListings } from '../listing.ts';
import STDIN from './stdin.json' with { type: 'json' };

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const LISTING = '{"title":"Welder"}';

/** Fails the test if it's read, because only `-` may read stdin. */
const untouched = new Readable({ read: () => assert.fail('stdin was read') });

/** Formats each entry as title and position, or as its finding. */
async function shown(name: string, stdin = untouched): Promise<string[]> {
  const entries: string[] = [];
  for await (const { listing, finding } of readEntries(name, { stdin })) {
    const { line, column } = finding ?? listing.locate(['title']);
    const what = finding === undefined ? (listing.value as { title: unknown }).title : problemOf(finding);
    entries.push(`${(finding ?? listing).index} ${what} ${line}:${column}`);
  }
  return entries;
}

function problemOf({ rule, message }: Finding): string {
  return rule === 'json-syntax' ? rule : message;
}

const many = (text: string, count: number): string => Array(count).fill(text).join(',');

/** Reads stdin in chunks of `size` bytes. */
async function entriesOfChunks(text: string | Buffer, size: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return shown('-', Readable.from(chunks));
}

describe('a job file', () => {
  const path = temporaryDirectory();

  async function entriesIn(content: string | Uint8Array, name = 'job.json'): Promise<string[]> {
    await writeFile(path(name), content);
    return shown(path(name));
  }

  it('with several listings has a label for each: its row, line, item or document, and its title', async () => {
    for (const [name, text, labels] of [
      ['one.json', LISTING, [undefined]],
      ['a.json', `[${LISTING}, {}]`, ['item 1 "Welder"', 'item 2']],
      ['a.ndjson', `${LISTING}\n\n${LISTING}`, ['line 1 "Welder"', 'line 3 "Welder"']],
      ['a.csv', 'Job title\n"A\nB"\n\nWelder', ['row 2 "A\\nB"', 'row 4 "Welder"']],
      [
        'a.yaml',
        'title: A\n---\n- title: B\n- title: C',
        ['document 1 "A"', 'document 2 item 1 "B"', 'document 2 item 2 "C"'],
      ],
    ] as const) {
      await writeFile(path(name), text);
      const found: unknown[] = [];
      for await (const { listing } of readEntries(path(name), { stdin: untouched }))
        found.push(listing?.label);
      assert.deepEqual(found, labels, name);
    }
  });

  it('is refused at the start of content that is too large or nested too deeply', async () => {
    for (const [text, finding, name] of [
      [`[${many('{}', 200_001)}]`, /^0 the array has more than 200,000 entries 1:600002$/],
      [`{"questions":[${many('{}', 100_001)}]}`, /^0 the listing has more than 100,000 values 1:\d+$/],
      [`[{}\n,{"x":{${many('"a":1', 100_001)}}}]`, /^0 the listing has more than 100,000 values 2:\d+$/],
      [`{"x":[${many('1', 100_001)}]}`, /^0 the listing has more than 100,000 values 1:\d+$/, 'x.ndjson'],
    ] as const) {
      const [entry = '', ...more] = await entriesIn(text, name);
      assert.match(entry, finding);
      assert.deepEqual(more, []);
    }
  });

  itAtLength('can be an array of 200,000 listings', async () =>
    assert.equal((await entriesIn(`[${many('{}', 200_000)}]`)).length, 200_000),
  );

  it('keeps the first 100 flaws of each listing in an array, and counts the others', async () => {
    const flawed = `{"title":"A"${',"title":"B"'.repeat(150)}}`;
    await writeFile(path('flawed.json'), `[${flawed},\n{"title":"C"},\n${flawed}]`);
    const { listings } = await readListings(path('flawed.json'), untouched);
    const counts = listings.map(({ flaws, flawsOmitted }) => `${flaws.length}+${flawsOmitted}`);
    assert.deepEqual(counts, ['100+50', '0+0', '100+50']);
    assert.deepEqual([listings[2]?.flaws[0]?.line, listings[2]?.flaws[0]?.column], [3, 14]);
  });

  it('can be an array, with a position for each listing', async () => {
    const entries = await entriesIn('[\r\n  {"title": "A"},\r\n  {"title": "B"}\r\n]');
    assert.deepEqual(entries, ['0 A 2:13', '1 B 3:13']);
  });

  for (const ending of ['ndjson', 'jsonl', 'NDJSON'])
    it(`has one listing per line if it ends in .${ending}, and can have blank lines`, async () => {
      const text = '{"title":"A"}\n\n   \n{"title":"B"}\r\n{"title":"C"}';
      assert.deepEqual(await entriesIn(text, `lines.${ending}`), ['0 A 1:10', '1 B 4:10', '2 C 5:10']);
    });

  it('can have $schema in every form, which is removed', async () => {
    const one = '{"$schema":"x","title":"A"}';
    for (const [name, text, count] of [
      ['s.json', one, 1],
      ['s2.json', `[${one},${one}]`, 2],
      ['s.jsonl', one, 1],
    ] as const) {
      await writeFile(path(name), text);
      const { listings } = await readListings(path(name), untouched);
      const values = listings.map(({ value }) => value);
      assert.deepEqual(values, Array(count).fill({ title: 'A' }));
    }
  });

  it("can start with a byte order mark, which isn't counted in columns", async () =>
    assert.deepEqual(await entriesIn(`\ufeff${LISTING}`), ['0 Welder 1:10']));

  for (const [name, content, message] of [
    ['blank.json', ' \n\t\r\n', /^1:1 the file is empty/],
    ['only-bom.json', '\ufeff', /^1:1 the file is empty/],
    ['page.json', '<!doctype html>\n<h1>Nurse</h1>', /^1:1 expected JSON, got a web page \(HTML\)/],
    ['posting.pdf', '%PDF-1.7', /^1:1 expected text, got a PDF/],
    ['none.json', '[]', /^1:1 the array contains no listings/],
    ['utf16le-no-bom.json', utf16(LISTING), /UTF-16 \(little-endian\).*; save it as UTF-8/],
    ['utf16be.json', utf16(`\ufeff${LISTING}`).swap16(), /UTF-16 \(big-endian\).*; save it as UTF-8/],
    ['utf16be-no-bom.json', utf16(LISTING).swap16(), /UTF-16 \(big-endian\).*; save it as UTF-8/],
    ['utf32.json', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), /UTF-32.*; save it as UTF-8/],
    ['nul.json', '{"title":"a\0b"}', /^1:1 expected text, but byte 12 is NUL/],
    ['cut.json', Buffer.from('{"title":"é"}').subarray(0, 11), /^1:11 byte 11 \(0xC3\) isn't UTF-8/],
    ['windows.json', Buffer.from('{"title":"A \x96"}', 'latin1'), /0x96.* this byte is –\./],
    ['posting.docx', 'PK\x03\x04rest', /Office document/],
    ['jobs.json.gz', Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
  ] as const)
    it(`is refused with a clear message if it is ${name}`, async () => {
      await writeFile(path(name), content);
      const { listings, findings } = await readListings(path(name), untouched);
      const [finding, ...more] = findings;
      assert.deepEqual([listings, more], [[], []]);
      assert.match(`${finding?.line}:${finding?.column} ${finding?.message}; ${finding?.hint}`, message);
    });

  it('can be a device, and at most 32 MiB of an endless one are read', async () => {
    const endless = /FILE_INVALID|more than 32 MiB/;
    await assert.rejects(readInput('/dev/zero', { stdin: untouched }), endless);
    assert.deepEqual(await shown('/dev/null'), ['0 the file is empty 1:1']);
  });
});

describe('readInput', () => {
  const path = temporaryDirectory();
  const read = (name: string) => readInput(name, { stdin: untouched });

  it('returns the text of a file, and refuses other content', async () => {
    await writeFile(path('text.md'), 'Wé weld.\n');
    assert.equal(await read(path('text.md')), 'Wé weld.\n');
    await writeFile(path('binary'), Buffer.from([1, 0, 2]));
    await assert.rejects(read(path('binary')), partnerError('FILE_INVALID', /byte 2 is NUL/));
  });

  it("reports if a path isn't a file", async () => {
    await symlink(path('b'), path('a'));
    await symlink(path('a'), path('b'));
    await writeFile(path('file'), '');
    for (const [name, says] of [
      [path('.'), /it is a directory/],
      [path('file/x.json'), /: part of its path is a file/],
      [path('a'), /form a loop/],
    ] as const)
      await assert.rejects(read(name), partnerError('FILE_UNREADABLE', says));
  });
});

describe('a file of lines', () => {
  const path = temporaryDirectory();

  async function linesIn(content: string | Buffer): Promise<string[]> {
    await writeFile(path('lines.ndjson'), content);
    return shown(path('lines.ndjson'));
  }

  for (const end of ['\n', '\r\n'])
    it(`is read the same in any chunks if its lines end with ${JSON.stringify(end)}`, async () => {
      const lines = ['{"title":"Ä"}', '', '{"title":"𝄞","a":1,"title":2}', ' \t', '{"title":"é"}'];
      const text = `\ufeff${lines.join(end)}`;
      const expected = ['0 Ä 1:10', '1 2 3:28', '2 é 5:10'];
      assert.deepEqual(await linesIn(text), expected);
      for (let size = 1; size <= Buffer.byteLength(text); size++) {
        assert.deepEqual(await entriesOfChunks(text, size), expected, `in chunks of ${size} bytes`);
        assert.deepEqual(await entriesOfChunks(text + end, size), expected, `in chunks of ${size} bytes`);
      }
    });

  it("continues after a line that isn't JSON or UTF-8", async () => {
    const text = Buffer.from('{"title":"Ä"}\r\n{"title":"Café"}\r\n{"title":}\n{"title":"C"}');
    const latin = Buffer.concat([text.subarray(0, 29), Buffer.from([0xe9]), text.subarray(31)]);
    const latinAt = "1 byte 30 (0xE9) isn't UTF-8 2:14";
    assert.deepEqual(await linesIn(latin), ['0 Ä 1:10', latinAt, '2 json-syntax 3:10', '3 C 4:10']);
  });

  it('stops at a line of more than 4 MiB', async () => {
    const long = `{"title":"${'x'.repeat(5_000_000)}"}`;
    const refused = "the line has more than 4 MiB, so the rest of the file wasn't read";
    for (const end of ['\n{"title":"B"}', ''])
      assert.deepEqual(await linesIn(`{"title":"A"}\n${long}${end}`), ['0 A 1:10', `1 ${refused} 2:1`]);
  });

  it("is refused completely if it isn't text", async () => {
    await symlink('/dev/zero', path('zero.ndjson'));
    assert.deepEqual(await shown(path('zero.ndjson')), ['0 expected text, but byte 1 is NUL 1:1']);
    assert.deepEqual(await linesIn('%PDF-1.7\nx'), ['0 expected text, got a PDF 1:1']);
  });
});

describe('stdin', () => {
  for (const [what, text, expected] of STDIN as [string, string, string[]][])
    it(`can contain ${what} in any chunks`, async () => {
      for (let size = 1; size <= text.length; size++)
        assert.deepEqual(await entriesOfChunks(text, size), expected, `in chunks of ${size} bytes`);
    });

  it("is read up to 32 MiB if it's endless", async () => {
    const endless = new PassThrough();
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const feed = () => {
      while (endless.writable && endless.write(chunk));
    };
    endless.on('drain', feed);
    feed();
    const [entry] = await shown('-', endless);
    assert.match(entry ?? '', /more than 32 MiB/);
    assert.ok(endless.destroyed);
  });

  it('is read on demand, and closed if no more listings are needed', async () => {
    const stdin = new Readable({ read() {} });
    stdin.push('{"title":"A"}\n{"title"');
    const entries = readEntries('-', { stdin });
    stdin.push(Buffer.alloc(4096, ' '));
    assert.deepEqual((await entries.next()).value?.listing?.value, { title: 'A' });
    await entries.return(undefined);
    assert.ok(stdin.destroyed);
  });
});
