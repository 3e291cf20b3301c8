import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { LocationSuggestion } from '../../../src/contract/job.ts';
import { LIMITS, NO_LIMITS } from '../../../src/contract/limits.ts';
import type { LocationSource } from '../../../src/listings/places/locations.ts';
import { createPlaceMemory } from '../../../src/listings/places/place-memory.ts';
import {
  type CheckedListing,
  type ListingSet,
  openListings,
} from '../../../src/listings/read/listing-set.ts';
import { COMPLETE } from '../listing.ts';
import { fewPlaces, placeOf } from '../places.ts';

const BUNDLED: LocationSource = { places: fewPlaces, search: () => assert.fail('the server was asked') };
const LIVE = { limits: LIMITS, spending: {}, draft: false } as const;
const AUSTIN = COMPLETE.locations[0];

/** A server's search of the few places, that keeps count of what it is asked. */
function server() {
  const asked: string[] = [];
  const search = async (q: string): Promise<LocationSuggestion[]> => {
    asked.push(q);
    return fewPlaces.search({ q }).map(({ locationId, displayName, city, stateProvince, country }) => ({
      locationId,
      displayName,
      city,
      stateProvince,
      country,
    }));
  };
  return { asked, source: { search } satisfies LocationSource };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function listing(fields: object): string {
  return JSON.stringify({ ...COMPLETE, ...fields });
}

describe('openListings', () => {
  let directory: string;
  const opened: ListingSet[] = [];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'intake-set-'));
  });
  afterEach(async () => {
    for (const set of opened.splice(0)) await set.close();
  });
  after(() => rm(directory, { recursive: true }));

  async function written(name: string, content: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  }

  function open(names: readonly string[], source: LocationSource = BUNDLED, stdin = ''): ListingSet {
    const set = openListings(
      { names },
      { stdin: Readable.from([Buffer.from(stdin)]) },
      createPlaceMemory(source),
    );
    opened.push(set);
    return set;
  }

  async function checkedOf(text: string, source?: LocationSource): Promise<CheckedListing[]> {
    return all(open([await written('set.ndjson', text)], source).checked(LIVE));
  }

  describe('checked', () => {
    it('gives each listing with its place, what would be sent and what is wrong', async () => {
      const names = [
        await written('a.json', `[\n  ${listing({ locations: ['Austin, TX'] })},\n  {"title": 1}\n]`),
        await written('b.ndjson', `\n{"a":}\n${listing({ $schema: 'x', publish: true })}`),
        await written('c.json', ''),
      ];
      const found = await all(open(names).checked(LIVE));
      assert.deepEqual(
        found.map(({ file, index, line, column, input }) => [
          names.indexOf(file),
          index,
          line,
          column,
          input !== undefined,
        ]),
        [
          [0, 0, 2, 3, true],
          [0, 1, 3, 3, false],
          [1, 0, 2, 6, false],
          [1, 1, 3, 1, true],
          [2, 0, 1, 1, false],
        ],
      );
      assert.deepEqual(found[0]?.input, COMPLETE);
      assert.deepEqual(found[3]?.input, { ...COMPLETE, publish: true });
      assert.deepEqual(
        found.map(({ findings }) => findings.length > 0),
        [false, true, true, false, true],
      );
    });

    it('asks of each listing whether it has to be complete', async () => {
      const name = await written('drafts.ndjson', '{"title":"A"}\n{"title":"B","publish":true}\n7\n');
      const found = await all(
        open([name]).checked({ limits: LIMITS, spending: {}, draft: ({ publish }) => publish !== true }),
      );
      assert.deepEqual(
        found.map(({ input }) => input),
        [{ title: 'A' }, undefined, undefined],
      );
    });

    it('says of a file that cannot be read which one it is', async () => {
      const error = await all(open([join(directory, 'nowhere.json')]).checked(LIVE)).catch((e) => e);
      assert.ok(error instanceof PartnerError);
      assert.equal(error.code, 'FILE_UNREADABLE');
    });
  });

  describe('places given as text', () => {
    const texts = ['Austin, TX', 'Boston, UK', 'Springfield', 'Nowhere', 'Munich'];

    it("are asked of a server's search once each, however many listings name them", async () => {
      const { asked, source } = server();
      const lines = Array.from({ length: 500 }, (_, n) => listing({ locations: [texts[n % 5]] }));
      const found = await checkedOf(lines.join('\n'), source);
      assert.equal(found.length, 500);
      assert.deepEqual(
        found.slice(0, 5).map(({ input }) => input?.locations?.map(({ locationId }) => locationId)),
        [[4671654], [2655138], undefined, undefined, [2867714]],
      );
      // A text with a region is asked with it first; only where that finds nothing, the name alone.
      assert.deepEqual([...new Set(asked)].sort(), asked.sort());
    });

    for (const [kind, source] of [
      ['the bundled ones', BUNDLED],
      ["a server's", server().source],
    ] as const) {
      it(`are told with their candidates where they are not clear among ${kind}`, async () => {
        const [first, second] = await checkedOf(
          `${listing({ locations: [AUSTIN, 'Springfield'] })}\n${listing({ locations: ['Qwertz'] })}`,
          source,
        );
        const [finding] = first?.findings ?? [];
        assert.equal(first?.input, undefined);
        assert.deepEqual(
          [first?.findings.length, finding?.rule, finding?.level],
          [1, 'unknown-place', 'error'],
        );
        assert.deepEqual([finding?.field, finding?.line], ['locations[1]', 1]);
        assert.equal(
          finding?.column,
          listing({ locations: [AUSTIN, 'Springfield'] }).indexOf('"Springf') + 1,
        );
        for (const id of [4409896, 4951788, 4250542]) {
          assert.ok(finding?.message.includes(`id ${id} ${placeOf(id).displayName}`), finding?.message);
        }
        assert.match(second?.findings[0]?.message ?? '', /no place is called "Qwertz"/);
      });
    }

    it('are searched for side by side, at most eight at a time, and come in their order', async () => {
      let [underWay, most] = [0, 0];
      const waiting: (() => void)[] = [];
      const search = async (q: string): Promise<LocationSuggestion[]> => {
        most = Math.max(most, ++underWay);
        // All that can be under way is, before the first is answered: and the last comes first.
        await new Promise<void>((answer) => waiting.push(answer));
        underWay--;
        const id = Number(q.slice('Town '.length));
        return [{ locationId: id, displayName: `${q}, X, Y`, city: q, stateProvince: 'X', country: 'Y' }];
      };
      const answering = setInterval(() => waiting.pop()?.(), 0);
      const lines = Array.from({ length: 300 }, (_, n) => listing({ locations: [`Town ${n + 1}`] }));
      const found = await checkedOf(lines.join('\n'), { search });
      clearInterval(answering);
      assert.equal(most, 8);
      assert.deepEqual(
        found.map(({ index, input }) => [index, input?.locations?.[0]?.locationId]),
        lines.map((_, n) => [n, n + 1]),
      );
    });

    it('stop the reading where the search fails, and are asked again the next time', async () => {
      const failure = new PartnerError('UNREACHABLE');
      const { source } = server();
      let isDown = true;
      const search = async (q: string) => {
        if (isDown) throw failure;
        return source.search(q);
      };
      const set = open(
        [await written('down.ndjson', `${listing({ locations: ['Munich'] })}\n`.repeat(100))],
        { search },
      );
      await assert.rejects(all(set.checked(LIVE)), failure);
      isDown = false;
      assert.equal((await all(set.checked(LIVE))).length, 100);
    });

    it('are not searched for at all where one listing has more of them than it may', async () => {
      const { asked, source } = server();
      const locations = Array.from({ length: 5_000 }, (_, n) => `Town ${n}`);
      const [first] = await checkedOf(listing({ locations }), source);
      assert.equal(first?.input, undefined);
      assert.deepEqual(asked, []);
      assert.deepEqual(
        first?.findings.flatMap(({ level, message }) => (level === 'error' ? [message] : [])),
        ['has 5000 entries; at most 50'],
      );
    });

    it('are not searched for by the thousand where a profile lifts the limits', async () => {
      const { asked, source } = server();
      const locations = Array.from({ length: 5_000 }, (_, n) => `Town ${n}`);
      const set = open([await written('many.ndjson', `${listing({ locations })}\n`)], source);
      const [first] = await all(set.checked({ ...LIVE, limits: NO_LIMITS }));
      assert.equal(asked.length, 1_000);
      assert.match(first?.findings[0]?.message ?? '', /no place is called/);
      assert.deepEqual([first?.findings.length, first?.omitted?.error], [100, 4_900]);
    });

    it('that are longer than any name are not searched for', async () => {
      const { asked, source } = server();
      const [first] = await checkedOf(listing({ locations: ['x'.repeat(5_000)] }), source);
      assert.deepEqual([first?.findings[0]?.rule, asked], ['unknown-place', []]);
    });
  });

  describe('again', () => {
    it('gives the wanted listings as they are sent, each once, and asks for no place a second time', async () => {
      const { asked, source } = server();
      const names = [
        await written(
          'many.ndjson',
          [1, 2, 3, 4].map((n) => listing({ title: `${n}`, locations: ['Munich'] })).join('\n'),
        ),
        await written('array.json', `[${listing({ title: '5' })}, ${listing({ title: '6' })}]`),
      ];
      const set = open(names, source);
      const checked = await all(set.checked(LIVE));
      const before = asked.length;
      const wanted = (file: string, index: number) => (file === names[0] ? index % 2 === 1 : index === 0);
      assert.deepEqual(
        await all(set.again(wanted)),
        checked
          .filter(({ file, index }) => wanted(file, index))
          .map(({ file, index, input }) => ({ file, index, input })),
      );
      assert.equal(asked.length, before);
    });

    it('opens no file of which nothing is wanted, and says what can no longer be read', async () => {
      const names = await Promise.all(
        ['gone', 'kept', 'cut', 'broken', 'unasked'].map((name) =>
          written(`${name}.ndjson`, `${listing({ title: 'A' })}\n${listing({ title: 'B' })}\n`),
        ),
      );
      const [gone = '', kept = '', cut = '', broken = '', unasked = ''] = names;
      const set = open(names);
      await all(set.checked(LIVE));
      await rm(gone);
      await rm(unasked);
      await writeFile(cut, `${listing({ title: 'A' })}\n`);
      await writeFile(broken, `{"title":}\n${listing({ title: 'C', locations: ['Qwertz'] })}\n`);
      const found = await all(set.again((file) => file !== unasked));
      assert.deepEqual(
        found.map(({ file, index, input }) => [file, index, input?.title]),
        [
          [gone, 0, undefined],
          [gone, 1, undefined],
          [kept, 0, 'A'],
          [kept, 1, 'B'],
          [cut, 0, 'A'],
          [cut, 1, undefined],
          [broken, 0, undefined],
          [broken, 1, undefined],
        ],
      );
    });

    it('gives the content that a file has by now', async () => {
      const name = await written('edited.json', listing({ title: 'A' }));
      const set = open([name]);
      await all(set.checked(LIVE));
      await writeFile(name, listing({ title: 'B', locations: ['Munich'] }));
      const [found] = await all(set.again(() => true));
      assert.equal(found?.input?.title, 'B');
      assert.equal(found?.input?.locations?.[0]?.locationId, 2867714);
    });

    it('lets go of a stdin that is no text at once, though more would come', async () => {
      const stdin = new Readable({ read() {} });
      stdin.push(Buffer.concat([Buffer.from('{"a":1}\n{"a":2}\n\0'), Buffer.alloc(4096, ' ')]));
      const set = openListings({ names: ['-'] }, { stdin }, createPlaceMemory(BUNDLED));
      opened.push(set);
      const [found] = await all(set.checked(LIVE));
      assert.match(found?.findings[0]?.message ?? '', /byte 17 is NUL/);
      assert.ok(stdin.destroyed);
    });

    it('reads a pipe with a name again, which could be read once', async () => {
      const pipe = join(directory, 'pipe.ndjson');
      execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
      const text = [1, 2].map((n) => `${listing({ title: `${n}` })}\n`).join('');
      const set = open([pipe]);
      const writing = writeFile(pipe, text);
      assert.equal((await all(set.checked(LIVE))).length, 2);
      await writing;
      assert.deepEqual(
        (await all(set.again(() => true))).map(({ file, input }) => [file, input?.title]),
        [
          [pipe, '1'],
          [pipe, '2'],
        ],
      );
    });

    it('reads stdin again, which leaves nothing behind', async () => {
      const before = await readdir(tmpdir());
      const text = [1, 2, 3].map((n) => listing({ title: `${n}` })).join('\n');
      const set = open(['-'], BUNDLED, text);
      assert.equal((await all(set.checked(LIVE))).length, 3);
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(
          (await all(set.again((_, index) => index > 0))).map(({ file, input }) => [file, input?.title]),
          [
            ['stdin', '2'],
            ['stdin', '3'],
          ],
        );
      }
      // Not even while it is open has the copy a name that another could open it by.
      assert.deepEqual(
        (await readdir(tmpdir())).filter(
          (name) => name.startsWith('partner-input') && !before.includes(name),
        ),
        [],
      );
    });
  });
});
