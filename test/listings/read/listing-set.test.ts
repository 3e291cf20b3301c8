import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { LocationSuggestion } from '../../../src/contract/job.ts';
import { LIMITS } from '../../../src/contract/limits.ts';
import type { LocationSource } from '../../../src/listings/places/locations.ts';
import { createPlaceMemory } from '../../../src/listings/places/place-memory.ts';
import {
  type CheckedListing,
  checkedListings,
  type SetChecking,
} from '../../../src/listings/read/listing-set.ts';
import { COMPLETE } from '../listing.ts';
import { fewPlaces, placeOf } from '../places.ts';

const BUNDLED: LocationSource = { places: fewPlaces, search: () => assert.fail('the server was asked') };
const LIVE = { limits: LIMITS, draft: false } as const;
const AUSTIN = COMPLETE.locations[0];

/** A server's search of the few places, that keeps count of what it is asked. */
function server() {
  const asked: string[] = [];
  const search = async (q: string): Promise<LocationSuggestion[]> => {
    asked.push(q);
    return fewPlaces.search({ q }).map(({ population: _, countryCode: __, ...suggestion }) => suggestion);
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

describe('checkedListings', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'intake-set-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function written(name: string, content: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  }

  function checkedIn(
    names: readonly string[],
    source: LocationSource = BUNDLED,
    checking: SetChecking = LIVE,
  ): Promise<CheckedListing[]> {
    return all(checkedListings({ names }, { stdin: Readable.from([]) }, createPlaceMemory(source), checking));
  }

  async function checkedOf(text: string, source?: LocationSource): Promise<CheckedListing[]> {
    return checkedIn([await written('set.ndjson', text)], source);
  }

  describe('checked', () => {
    it('gives each listing with its place, what would be sent and what is wrong', async () => {
      const names = [
        await written('a.json', `[\n  ${listing({ locations: ['Austin, TX'] })},\n  {"title": 1}\n]`),
        await written('b.ndjson', `\n{"a":}\n${listing({ $schema: 'x', publish: true })}`),
        await written('c.json', ''),
      ];
      const found = await checkedIn(names);
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
      const found = await checkedIn([name], BUNDLED, {
        limits: LIMITS,
        draft: ({ publish }) => publish !== true,
      });
      assert.deepEqual(
        found.map(({ input }) => input),
        [{ title: 'A' }, undefined, undefined],
      );
    });

    it('says of a file that cannot be read which one it is', async () => {
      const error = await checkedIn([join(directory, 'nowhere.json')]).catch((e) => e);
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

    it('stop the reading where the search fails', async () => {
      const failure = new PartnerError('UNREACHABLE');
      const search = () => Promise.reject(failure);
      const lines = `${listing({ locations: ['Munich'] })}\n`.repeat(100);
      await assert.rejects(checkedOf(lines, { search }), failure);
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

    it('that are longer than any name are not searched for', async () => {
      const { asked, source } = server();
      const [first] = await checkedOf(listing({ locations: ['x'.repeat(5_000)] }), source);
      assert.deepEqual([first?.findings[0]?.rule, asked], ['unknown-place', []]);
    });
  });
});
