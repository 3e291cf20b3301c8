import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { checkFiles } from '../../src/listings/check/check-files.ts';
import { checkListing } from '../../src/listings/check/findings.ts';
import type { Place } from '../../src/places/place-names.ts';
import { payingCompany } from '../engine/engine-under-test.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';
import { PLACES_PATH } from '../http/subject.ts';
import { times } from '../times.ts';
import { listingIn } from './listing.ts';
import { listingArbitrary } from './listing-arbitrary.ts';
import texts from './same-verdict.json' with { type: 'json' };

const CITIES = [
  "São Paulo, Zürich, Köln, München, St. Louis, Saint-Denis, Washington, Singapore, Łódź, Xi'an, Århus, Đà Nẵng",
  "'s-Hertogenbosch, Reykjavík, Montréal, Sankt Pölten, Austin, L'Aquila, Gaza, Møre, Straßkirchen, Kyiv",
  'İzmir, Fort Worth, Mount Vernon, Winston-Salem, Bogotá, Abu Dhabi, Osaka, Coeur d’Alene',
].flatMap((names) => names.split(', '));

/** Contents of a file, which are also sent as a body. */
const REFUSED: Readonly<Record<string, string | Uint8Array>> = {
  ...texts.refuse,
  'brackets without end': `{"title":${'['.repeat(100_000)}`,
  'brackets without number': `{"title":${'['.repeat(1000)}${']'.repeat(1000)}}`,
  'UTF-16': Buffer.from('{"title":"Welder"}', 'utf16le'),
  'Latin-1': Buffer.from('{"title":"Métier"}', 'latin1'),
  'half of a character in UTF-8': Buffer.from('{"title":"\xf0\x9f\x98"}', 'latin1'),
  'a surrogate in UTF-8': Buffer.from('{"title":"\xed\xa0\xbd"}', 'latin1'),
};

type Mode = 'draft' | 'publication';

const RUNS = times(120, 10_000);

/** `jobs validate` and the engine must agree on each listing, as a draft and published. */
describe('For any listing', () => {
  const directory = temporaryDirectory();
  const bugs: unknown[] = [];
  let engine: Engine;
  let key: string;
  let places: Place[];

  before(async () => {
    const databasePath = directory('engine.db');
    engine = await openEngine({
      database: sqliteFile(databasePath),
      placesPath: PLACES_PATH,
      reportBug: (bug) => bugs.push(bug),
    });
    ({ key } = await payingCompany(engine.operator));
    places = CITIES.flatMap((q) => engine.places.search({ q, limit: 2 }));
  });
  after(() => engine.close());

  async function validates(text: string | Uint8Array, mode: Mode): Promise<boolean> {
    const checking = { draft: mode === 'draft', places: engine.places };
    return (
      (await checkFiles({ names: ['-'] }, { stdin: Readable.from([Buffer.from(text)]) }, checking)).errors ===
      0
    );
  }

  /** Returns the body that the CLI would send: with resolved places and without `$schema`. */
  function sent(text: string, mode: Mode): unknown {
    const listing = listingIn(text);
    const { value, findings } = checkListing(listing, { draft: true, places: engine.places });
    // An invalid key isn't sent, but no listing of the file is. The engine refuses any key.
    if (findings.some(({ field }) => field === 'key')) return JSON.parse(text);
    const ready = findings.some(({ rule }) => rule === 'unknown-place') ? listing.value : value;
    const { publish } = ready as { publish?: unknown };
    return ['undefined', 'boolean'].includes(typeof publish)
      ? { ...(ready as object), publish: mode !== 'draft' }
      : ready;
  }

  async function creates(body: string | Uint8Array): Promise<boolean> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = new Request('http://engine.test/v1/jobs', {
      method: 'POST',
      headers,
      body: body as BodyInit,
    });
    const { status } = await engine.fetch(request);
    assert.ok([201, 413, 422].includes(status), `the engine answers ${status}: ${String(bugs.at(-1))}`);
    return status === 201;
  }

  for (const [verdict, bodies] of Object.entries({ take: texts.take, refuse: REFUSED })) {
    for (const [what, bytes] of Object.entries(bodies))
      it(`in bytes both ${verdict} ${what}`, async () => {
        const isTaken = verdict === 'take';
        assert.deepEqual([await validates(bytes, 'draft'), await creates(bytes)], [isTaken, isTaken]);
      });
  }

  it(`jobs validate accepts it if and only if the engine does (${RUNS} listings)`, async function () {
    const counts = { accepted: 0, refused: 0 };
    const property = fc.asyncProperty(
      listingArbitrary(places),
      fc.constantFrom<Mode>('draft', 'publication'),
      async (listing, mode) => {
        const text = JSON.stringify(listing);
        const isValid = await validates(text, mode);
        const actual = await creates(JSON.stringify(sent(text, mode)));
        assert.equal(actual, isValid, `${mode}: ${text.slice(0, 2000)}`);
        counts[isValid ? 'accepted' : 'refused']++;
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    const { accepted, refused } = counts;
    assert.ok(Math.min(accepted, refused) > RUNS / 5, `${accepted} taken, ${refused} refused`);
    if (this.test) this.test.title += `: ${accepted} taken, ${refused} refused`;
  });
});
