import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { PartnerError } from '../../../src/contract/errors.ts';
import { readInput } from '../../../src/listings/read/read.ts';
import { type FileReading, readListings } from '../listing.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Fails the test when it is read: stdin is read only where `-` is given. */
const untouched = new Readable({
  read() {
    throw new Error('stdin was read');
  },
});

let directory: string;

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

async function readingOf(name: string, content: string | Uint8Array): Promise<FileReading> {
  return readListings(await written(name, content), untouched);
}

/** The one finding of a file that cannot be read as listings, as `line:column message; hint`. */
function onlyFinding({ listings, findings }: FileReading): string {
  assert.equal(listings.length, 0);
  assert.equal(findings.length, 1);
  const [finding] = findings;
  return `${finding?.line}:${finding?.column} ${finding?.message}; ${finding?.hint}`;
}

async function errorOf(promise: Promise<unknown>): Promise<PartnerError> {
  const error = await promise.then(
    () => assert.fail('it was read'),
    (reason) => reason,
  );
  assert.ok(error instanceof PartnerError, String(error));
  return error;
}

/** What `locate` says of a path in each listing. */
function places({ listings }: FileReading, ...path: (string | number)[]): string[] {
  return listings.map((listing) => {
    const { line, column } = listing.locate(path);
    return `${line}:${column}`;
  });
}

function values({ listings }: FileReading): unknown[] {
  return listings.map(({ value }) => value);
}

describe('reading', () => {
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'intake-'));
  });
  after(() => rm(directory, { recursive: true }));

  describe('readListings', () => {
    it('refuses what no listing needs and no memory holds, where it begins', async () => {
      const many = (text: string, count: number): string => Array(count).fill(text).join(',');
      const cases: [name: string, text: string, finding: RegExp][] = [
        [
          'many-listings.json',
          `[${many('{}', 200_001)}]`,
          /^1:600002 the array has more than 200,000 entries/,
        ],
        [
          'one.json',
          `{"questions":[${many('{}', 100_001)}]}`,
          /^1:\d+ one listing has more than 100,000 values/,
        ],
        [
          'one-of.json',
          `[{}\n,{"x":{${many('"a":1', 100_001)}}}]`,
          /^2:\d+ one listing has more than 100,000/,
        ],
        ['a-line.ndjson', `{"x":[${many('1', 100_001)}]}`, /^1:\d+ one listing has more than 100,000 values/],
      ];
      for (const [name, text, finding] of cases)
        assert.match(onlyFinding(await readingOf(name, text)), finding, name);
      assert.equal((await readingOf('enough.json', `[${many('{}', 200_000)}]`)).listings.length, 200_000);
    });

    it('keeps the first hundred flaws of each listing of an array, and counts the others', async () => {
      const flawed = `{"title":"A"${',"title":"B"'.repeat(150)}}`;
      const { listings } = await readingOf('flawed.json', `[${flawed},\n{"title":"C"},\n${flawed}]`);
      assert.deepEqual(
        listings.map(({ flaws, flawsOmitted }) => [flaws.length, flawsOmitted]),
        [
          [100, 50],
          [0, 0],
          [100, 50],
        ],
      );
      assert.deepEqual([listings[2]?.flaws[0]?.line, listings[2]?.flaws[0]?.column], [3, 14]);
    });

    it('reads an array of listings, each with its own place', async () => {
      const reading = await readingOf('many.json', '[\r\n  {"title": "A"},\r\n  {"title": "B"}\r\n]');
      assert.deepEqual(values(reading), [{ title: 'A' }, { title: 'B' }]);
      assert.deepEqual(
        reading.listings.map(({ index }) => index),
        [0, 1],
      );
      assert.deepEqual(places(reading, 'title'), ['2:13', '3:13']);
    });

    for (const ending of ['ndjson', 'jsonl', 'NDJSON']) {
      it(`reads one listing on each line of a .${ending} file, past blank lines`, async () => {
        const reading = await readingOf(
          `lines.${ending}`,
          '{"title":"A"}\n\n   \n{"title":"B"}\r\n{"title":"C"}',
        );
        assert.deepEqual(values(reading), [{ title: 'A' }, { title: 'B' }, { title: 'C' }]);
        assert.deepEqual(places(reading, 'title'), ['1:10', '4:10', '5:10']);
      });
    }

    it('takes $schema in every form and does not pass it on', async () => {
      assert.deepEqual(values(await readingOf('s.json', '{"$schema":"x","title":"A"}')), [{ title: 'A' }]);
      assert.deepEqual(values(await readingOf('s2.json', '[{"$schema":"x"},{"title":"A"}]')), [
        {},
        { title: 'A' },
      ]);
      assert.deepEqual(values(await readingOf('s.jsonl', '{"$schema":"x","title":"A"}')), [{ title: 'A' }]);
    });

    it('takes a UTF-8 byte order mark off, and counts columns after it', async () => {
      const reading = await readingOf('bom.json', '\ufeff{"title":"Welder"}');
      assert.deepEqual(values(reading), [{ title: 'Welder' }]);
      assert.deepEqual(places(reading, 'title'), ['1:10']);
      assert.deepEqual(places(await readingOf('bom.ndjson', '\ufeff{"title":"A"}\n{"title":"B"}'), 'title'), [
        '1:10',
        '2:10',
      ]);
    });

    const LISTING = '{"title":"Welder"}';
    for (const [name, content, message] of [
      ['empty.json', '', /^1:1 the file is empty; .*partner schema/],
      ['blank.json', ' \n\t\r\n', /^1:1 the file is empty/],
      ['only-bom.json', '\ufeff', /^1:1 the file is empty/],
      ['none.json', '[]', /^1:1 the array is empty/],
      ['utf16le.json', utf16(`\ufeff${LISTING}`), /UTF-16 \(little-endian\).*; save it as UTF-8/],
      ['utf16le-no-bom.json', utf16(LISTING), /UTF-16 \(little-endian\).*; save it as UTF-8/],
      ['utf16be.json', utf16(`\ufeff${LISTING}`).swap16(), /UTF-16 \(big-endian\).*; save it as UTF-8/],
      ['utf16be-no-bom.json', utf16(LISTING).swap16(), /UTF-16 \(big-endian\).*; save it as UTF-8/],
      ['utf32.json', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), /UTF-32.*; save it as UTF-8/],
      ['nul.json', '{"title":"a\0b"}', /^1:1 this is no text: byte 12 is NUL/],
      ['latin1.json', latin1('{\n  "title": "Café"\n}'), /^2:16 byte 18 \(0xE9\) is not UTF-8; .*Latin-1/],
      ['cut.json', Buffer.from('{"title":"é"}').subarray(0, 11), /^1:11 byte 11 \(0xC3\) is not UTF-8/],
      ['posting.pdf', '%PDF-1.7\n', /a PDF/],
      ['posting.docx', 'PK\x03\x04rest', /Office document/],
      ['jobs.json.gz', Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
    ] as const) {
      it(`says clearly what is wrong with ${name}`, async () => {
        assert.match(onlyFinding(await readingOf(name, content)), message);
      });
    }
  });

  describe('readListings from stdin', () => {
    it('reads it where - is given, calls it stdin, and joins a character that is cut between two chunks', async () => {
      const bytes = Buffer.from('{"title":"é"}');
      const { listings } = await readListings(
        '-',
        Readable.from([bytes.subarray(0, 11), bytes.subarray(11)]),
      );
      assert.deepEqual(
        listings.map(({ file, value }) => [file, value]),
        [['stdin', { title: 'é' }]],
      );
    });

    it('says that it is empty', async () => {
      assert.match(onlyFinding(await readListings('-', Readable.from([]))), /empty/);
    });

    it('stops at 32 MiB of an endless one', async () => {
      const endless = new PassThrough();
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const feed = () => {
        while (endless.writable && endless.write(chunk));
      };
      endless.on('drain', feed);
      feed();
      assert.match(onlyFinding(await readListings('-', endless)), /more than 32 MiB/);
      assert.ok(endless.destroyed);
    });
  });

  describe('readInput', () => {
    it('gives the text of a file', async () => {
      assert.equal(
        await readInput(await written('text.md', 'Wé weld.\n'), { stdin: untouched }),
        'Wé weld.\n',
      );
    });

    it('says what else a path is than a file: exit 2', async () => {
      const file = await written('file.json', '{}');
      await symlink(join(directory, 'b'), join(directory, 'a'));
      await symlink(join(directory, 'a'), join(directory, 'b'));
      for (const [path, says] of [
        [directory, /it is a directory/],
        [join(file, 'x.json'), /a part of its path is a file/],
        [join(directory, 'a'), /in a circle/],
      ] as const) {
        const error = await errorOf(readInput(path, { stdin: untouched }));
        assert.deepEqual([error.code, error.exit], ['FILE_UNREADABLE', 2]);
        assert.match(error.message, says);
      }
    });

    it('refuses what is no text: exit 3', async () => {
      const error = await errorOf(
        readInput(await written('binary', Buffer.from([1, 0, 2])), { stdin: untouched }),
      );
      assert.deepEqual([error.code, error.exit], ['FILE_INVALID', 3]);
    });

    it('reads a pipe with a name to its end', async () => {
      const path = join(directory, 'pipe');
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
      const writer = spawn('sh', ['-c', 'printf "{\\"title\\":\\"Welder\\"}" > "$0"', path]);
      const exit = new Promise((resolve) => writer.on('close', resolve));
      const { listings } = await readListings(path, untouched);
      assert.deepEqual(
        listings.map(({ value }) => value),
        [{ title: 'Welder' }],
      );
      assert.equal(await exit, 0);
    });

    it('stops at 32 MiB of a device that never ends', async () => {
      assert.match((await errorOf(readInput('/dev/zero', { stdin: untouched }))).message, /more than 32 MiB/);
      assert.match(onlyFinding(await readListings('/dev/null', untouched)), /empty/);
    });
  });
});
