import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { LocationSuggestion } from '../../../src/contract/job.ts';
import { LIMITS } from '../../../src/contract/values.ts';
import {
  type CheckedListing,
  checkEachListing,
  checkFiles,
  type SetChecking,
} from '../../../src/listings/check/check-files.ts';
import { checkListing } from '../../../src/listings/check/findings.ts';
import { createPlaceMemory } from '../../../src/listings/places/place-problems.ts';
import { type LocationSource, locationInput } from '../../../src/places/decide/locations.ts';
import { temporaryDirectory } from '../../engine/temporary-directory.ts';
import { renderCheck } from '../../reports/sample-run.ts';
import { COMPLETE, listingIn } from '../listing.ts';
import { fewPlaces, placeOf } from '../places.ts';

const BUNDLED: LocationSource = { places: fewPlaces };
const LIVE: SetChecking = { limits: LIMITS, isLive: () => true };

const bundledPlaces = async () => fewPlaces;

/** A server's place search that records its queries. */
function server() {
  const asked: string[] = [];
  const search = async (q: string): Promise<LocationSuggestion[]> => {
    asked.push(q);
    return fewPlaces.search({ q }).map(({ population: _, countryCode: __, ...suggestion }) => suggestion);
  };
  return { asked, source: { search, bundledPlaces } satisfies LocationSource };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function listing(fields: object): string {
  return JSON.stringify({ ...COMPLETE, ...fields });
}

describe('checkEachListing', () => {
  const path = temporaryDirectory();

  async function written(name: string, content: string): Promise<string> {
    await writeFile(path(name), content);
    return path(name);
  }

  function checkedIn(
    names: readonly string[],
    source: LocationSource = BUNDLED,
    checking: SetChecking = LIVE,
  ): Promise<CheckedListing[]> {
    return all(
      checkEachListing({ names }, { stdin: Readable.from([]) }, createPlaceMemory(source), checking),
    );
  }

  async function checkedOf(text: string, source?: LocationSource): Promise<CheckedListing[]> {
    return checkedIn([await written('set.ndjson', text)], source);
  }

  describe('checked', () => {
    it('returns each listing with its position, its input and its findings', async () => {
      const names = [
        await written('a.json', `[\n  ${listing({ locations: ['Austin, TX'] })},\n  {"title": 1}\n]`),
        await written('b.ndjson', `\n{"a":}\n${listing({ $schema: 'x', publish: true })}`),
        await written('c.json', ''),
      ];
      const found = await checkedIn(names);
      assert.deepEqual(
        found.map(
          ({ file, index, line, column, findings }) =>
            `${names.indexOf(file)}[${index}] ${line}:${column} ${findings.length > 0 ? 'wrong' : 'right'}`,
        ),
        ['0[0] 2:3 right', '0[1] 3:3 wrong', '1[0] 2:6 wrong', '1[1] 3:1 right', '2[0] 1:1 wrong'],
      );
      assert.deepEqual(found[0]?.input, COMPLETE);
      assert.deepEqual(found[3]?.input, { ...COMPLETE, publish: true });
      assert.equal(found[1]?.input, undefined);
    });

    it('checks for each listing whether it must be complete', async () => {
      const name = await written('drafts.ndjson', '{"title":"A"}\n{"title":"B","publish":true}\n7\n');
      const checking: SetChecking = { limits: LIMITS, isLive: ({ publish }) => publish === true };
      const found = await checkedIn([name], BUNDLED, checking);
      const inputs = found.map(({ input }) => input);
      assert.deepEqual(inputs, [{ title: 'A' }, undefined, undefined]);
    });
  });

  describe('places given as text', () => {
    const texts = ['Austin, TX', 'Boston, UK', 'Springfield', 'Nowhere', 'Munich'];

    it('are searched on the server once per text', async () => {
      const { asked, source } = server();
      const lines = Array.from({ length: 500 }, (_, n) => listing({ locations: [texts[n % 5]] }));
      const found = await checkedOf(lines.join('\n'), source);
      assert.equal(found.length, 500);
      const ids = found.slice(0, 5).map(({ input }) => input?.locations?.map(({ locationId }) => locationId));
      assert.deepEqual(ids, [[4671654], [2655138], undefined, undefined, [2867714]]);
      assert.deepEqual(asked.sort(), ['Austin', 'Boston', 'Munich']);
    });

    it('that list several places are read as these places with a warning, on every server', async () => {
      const lines = [
        listing({ locations: ['Austin, TX / Munich', 'Boston, UK', 'Nowhere'] }),
        listing({ locations: ['Austin, TX or remote'] }),
        listing({ locations: ['Austin, TX or remote'], remoteOption: 'HYBRID' }),
        listing({ locations: ['Austin, TX / Nowhere'] }),
      ];
      for (const source of [BUNDLED, server().source]) {
        const found = await checkedOf(lines.join('\n'), source);
        const told = found.map(({ findings }) => findings.map(({ level, field }) => `${level} ${field}`));
        assert.deepEqual(told, [
          ['warning locations[0]', 'error locations[3]'],
          ['error locations[0]'],
          ['warning locations[0]'],
          ['error locations[0]'],
        ]);
        assert.match(
          found[0]?.findings[0]?.message ?? '',
          /"Austin, TX \/ Munich" is read as Austin, Texas, United States · Munich, Bavaria, Germany$/,
        );
        const [, nowhere] = found[0]?.findings ?? [];
        assert.equal(nowhere?.column, String(lines[0]).indexOf('"Nowhere"') + 1);
        assert.deepEqual(found[2]?.input?.locations, [locationInput(placeOf(4671654))]);
      }
    });

    it('are searched with at most eight concurrent requests, and returned in order', async () => {
      let [begun, underWay, most] = [0, 0, 0];
      const waiting: (() => void)[] = [];
      const search = async (q: string): Promise<LocationSuggestion[]> => {
        most = Math.max(most, ++underWay);
        begun++;
        // Waits until all concurrent searches have started, then responds in reverse order.
        await new Promise<void>((answer) => waiting.push(answer));
        underWay--;
        const id = Number(q.slice('Town '.length));
        return [{ locationId: id, displayName: q, city: q, stateProvince: 'X', country: 'Cuba' }];
      };
      const answering = setInterval(() => {
        if (underWay >= 8 || begun === 80) for (const answer of waiting.splice(0).reverse()) answer();
      }, 0);
      const lines = Array.from({ length: 80 }, (_, n) => listing({ locations: [`Town ${n + 1}, X, Cuba`] }));
      const found = await checkedOf(lines.join('\n'), { search, bundledPlaces });
      clearInterval(answering);
      assert.equal(most, 8);
      const ids = found.map(({ index, input }) => [index, input?.locations?.[0]?.locationId]);
      assert.deepEqual(
        ids,
        lines.map((_, n) => [n, n + 1]),
      );
    });

    it('stop the check if the search fails', async () => {
      const failure = new PartnerError('UNREACHABLE');
      const search = () => Promise.reject(failure);
      const lines = `${listing({ locations: ['Munich'] })}\n`.repeat(100);
      await assert.rejects(checkedOf(lines, { search, bundledPlaces }), failure);
    });

    it('are not searched if a listing has too many', async () => {
      const { asked, source } = server();
      const locations = Array.from({ length: 5_000 }, (_, n) => `Town ${n}`);
      const [first] = await checkedOf(listing({ locations }), source);
      assert.equal(first?.input, undefined);
      assert.deepEqual(asked, []);
      const messages = first?.findings.flatMap(({ level, message }) => (level === 'error' ? [message] : []));
      assert.deepEqual(messages, ['must have at most 50 entries, got 5000']);
    });
  });
});

describe('checkFiles', () => {
  const path = temporaryDirectory();
  const LIVE_FEW = { draft: false, places: fewPlaces };

  async function report(files: Record<string, string>, stdin = '') {
    const names = await Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        await writeFile(path(name), content);
        return path(name);
      }),
    );
    const given = stdin === '' ? names : ['-', ...names];
    return checkFiles({ names: given }, { stdin: Readable.from([stdin]) }, LIVE_FEW);
  }

  it('checks all listings, in the order of files and lines', async () => {
    const { files, listings, findings } = await report(
      {
        'b.json': JSON.stringify([COMPLETE, { ...COMPLETE, jobLevel: 'X' }, { ...COMPLETE, title: ' ' }]),
        'a.ndjson': `${JSON.stringify(COMPLETE)}\n{"a":}\n${JSON.stringify({ ...COMPLETE, salaryMin: 90_000 })}\n`,
        'c.json': '',
      },
      JSON.stringify({ ...COMPLETE, jobType: 'FULL' }),
    );
    const counts = files.map(({ file, listings }) => `${file.split('/').at(-1)} ${listings}`);
    assert.deepEqual(counts, ['stdin 1', 'b.json 3', 'a.ndjson 3', 'c.json 1']);
    assert.equal(listings, 8);
    assert.deepEqual(
      findings.map(({ file, index, rule, field }) => `${file.split('/').at(-1)}[${index}] ${rule} ${field}`),
      [
        'stdin[0] invalid-value jobType',
        'b.json[1] invalid-value jobLevel',
        'b.json[2] incomplete title',
        'a.ndjson[1] json-syntax ',
        'a.ndjson[2] incomplete salaryMin',
        'c.json[0] file-content ',
      ],
    );
  });

  it('reports progress, and stops on an interrupt', async () => {
    const line = `${JSON.stringify(COMPLETE)}\n`;
    const stdin = () => Readable.from([`{}\n${line.repeat(600)}`]);
    const told: number[] = [];
    await checkFiles({ names: ['-'] }, { stdin: stdin() }, LIVE_FEW, (listings) => told.push(listings));
    assert.deepEqual(told, [256, 512]);
    const interruption = new AbortController();
    const input = { stdin: stdin(), interrupted: interruption.signal };
    const stopped = checkFiles({ names: ['-'] }, input, LIVE_FEW, () => interruption.abort());
    await assert.rejects(stopped, { code: 'INTERRUPTED' });
  });

  it('returns the first 100 of 20,000 findings of a listing quickly, and counts the rest', () => {
    const fields = Array.from({ length: 20_000 }, (_, index) => `"x${index}":1`).join(',');
    const before = process.cpuUsage();
    const { findings, omitted } = checkListing(listingIn(`{${fields}}`), LIVE_FEW);
    const unknown = findings.filter(({ rule }) => rule === 'unknown-field');
    assert.deepEqual(
      unknown.map(({ line, column }) => [line, column]),
      unknown.map(({ field }) => [1, fields.indexOf(`"${field}"`) + 2]),
    );
    assert.equal(findings.length, 100);
    assert.deepEqual(omitted, { error: 20_000 + (100 - unknown.length) - 100, warning: 0 });
    // CPU time of this process doesn't depend on other load.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 5_000_000);
  });

  it('returns the first 1,000 findings, and counts the rest', async () => {
    const wrong = JSON.stringify({ ...COMPLETE, jobLevel: 'X' });
    const found = await report({ 'wrong.ndjson': `${wrong}\n`.repeat(1_200), 'last.json': '{' });
    assert.equal(found.findings.length, 1_000);
    assert.equal(found.findings.at(-1)?.line, 1_000);
    assert.deepEqual([found.errors, found.listingsWithErrors, found.listings], [1_201, 1_201, 1_201]);
    const expected = /\n\nand 201 more\n\n1,201 problems in 1,201 of 1,201 listings$/;
    assert.match(renderCheck('text', found), expected);
    assert.match(renderCheck('github', found), /\nand 201 more\n/);
    const { errors, omitted } = JSON.parse(renderCheck('json', found));
    assert.deepEqual([errors, omitted], [1_201, 201]);
    assert.equal(JSON.parse(renderCheck('sarif', found)).runs[0].properties.omitted, 201);
    const junit = renderCheck('junit', found);
    assert.match(junit, /tests="1201" failures="1201"/);
    assert.match(junit, /<failure message="and 201 more"/);
    // Listings with omitted findings must not be reported as passed.
    assert.equal(junit.match(/<testcase/g)?.length, 1_001);
  });

  it('returns an error even after many warnings', async () => {
    const crossed = JSON.stringify({ ...COMPLETE, salaryMin: 90_000 });
    const names = [path('warnings.ndjson')];
    await writeFile(path('warnings.ndjson'), `${`${crossed}\n`.repeat(1_200)}{`);
    const draft = { draft: true, places: fewPlaces };
    const found = await checkFiles({ names }, { stdin: Readable.from([]) }, draft);
    assert.deepEqual([found.errors, found.warnings], [1, 1_200]);
    const lines = found.findings.filter(({ level }) => level === 'error').map(({ line }) => line);
    assert.deepEqual(lines, [1_201]);
  });
});
