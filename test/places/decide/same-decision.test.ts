import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { connectToTarget } from '../../../src/cli/connection/connect.ts';
import type { CliContext, Streams } from '../../../src/cli/terminal/streams.ts';
import { checkInput } from '../../../src/commands/jobs/listing-input.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { JobInput, LocationInput } from '../../../src/contract/job.ts';
import { inPool } from '../../../src/contract/promises.ts';
import { buildFlagListing } from '../../../src/listings/flags.ts';
import type { UsedText } from '../../../src/listings/places/place-uses.ts';
import { listPlaces, locationInput } from '../../../src/places/decide/locations.ts';
import type { PlaceMeaning } from '../../../src/places/decide/place-meaning.ts';
import { Gazetteer } from '../../../src/places/index/gazetteer.ts';
import { IndexFile } from '../../../src/places/index/index-file.ts';
import { KeyIndex } from '../../../src/places/index/key-index.ts';
import { normalise, type Place, placeMatches } from '../../../src/places/place-names.ts';
import { withEngine } from '../../cli/homes.ts';
import { runLoaded } from '../../cli/loaded.ts';
import type { Home } from '../../cli/partner.ts';
import { serveEngine } from '../../cli/servers.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { KEY, startSpecServer } from '../../spec-server/server.ts';
import { times } from '../../times.ts';

/** The first file's texts become jobs. */
const [FIRST_FILE, TEXTS_A_FILE] = [200, 5000];

type Environment = Readonly<Record<string, string>>;
type Sent = ReadonlyMap<string, number | undefined>;

const COUNT = times(40, 10_000);

/** Gives these texts to every command, in this process and on three servers. */
it(`each of ${COUNT} place texts is one place for every command and server, or refused`, async function () {
  this.timeout(600_000 + 60 * COUNT);
  const file = new IndexFile(PLACES_PATH);
  const [gazetteer, names] = [new Gazetteer(file), new KeyIndex(file, 'name')];
  const texts = textsOf(COUNT, file.length('placeRegions') / 2, (ordinal) => gazetteer.place(ordinal));
  const called = (city: string, isOwnId = false) =>
    Array.from(names.find(normalise(city).slice(0, 200)).whole, (ordinal) => {
      const place = locationInput(gazetteer.place(ordinal));
      return isOwnId ? { ...place, locationId: ordinal + 1 } : place;
    });
  const isInTenth = ({ locationId }: LocationInput) => (locationId * 2_654_435_761) % 2 ** 32 < 2 ** 32 / 10;
  const home = await withEngine();
  const engine = await serveEngine(await withEngine());
  const tenth = await startSpecServer({ search: (city) => called(city).filter(isInTenth) });
  const all = await startSpecServer({ search: (city) => called(city, true) });
  const envOf = ({ url }: { url: string }) => ({ PARTNER_BASE_URL: url, PARTNER_API_KEY: KEY });
  const onlyIdOf = (place: Place) => {
    const [only, another] = called(place.city, true).filter((other) => placeMatches(other, place));
    return another === undefined ? only?.locationId : undefined;
  };
  const targets: [name: string, env: Environment, idOf: (place: Place) => number | undefined][] = [
    ['in process', {}, ({ locationId }) => locationId],
    ['engine serve', engine.env, ({ locationId }) => locationId],
    ['a tenth', envOf(tenth), (place) => (isInTenth(place) ? place.locationId : undefined)],
    ['all with other IDs', envOf(all), onlyIdOf],
  ];
  const wrong: string[] = [];
  for (let at = 0; at < texts.length; at += at === 0 ? FIRST_FILE : TEXTS_A_FILE) {
    const given = texts.slice(at, at + (at === 0 ? FIRST_FILE : TEXTS_A_FILE));
    const { items } = await run<{ items: UsedText[] }>(home, 'locations resolve', given);
    const places = new Map(items.map(({ text, meaning: m }) => [text, m.kind === 'place' && m.place]));
    // These are read as several places, with a warning.
    const lists = new Set(items.flatMap(({ text, meaning: m }) => (isListOfPlaces(m) ? text : [])));
    const some = given.filter((text) => !lists.has(text));
    const decided = some.filter((text) => places.get(text));
    const others = some.filter((text) => !places.get(text));
    const faults = async (given: string[]) =>
      (await run<{ errors: number }>(home, 'jobs validate --draft', given)).errors;
    assert.deepEqual(
      [await faults(decided), await faults(others), lists.size > 0 && (await faults([...lists]))],
      [0, others.length, lists.size > 0 && 0],
    );
    for (const [index, [name, env, idOf]] of targets.entries()) {
      // Texts that aren't decided take longest: after the first file, one target gets them.
      const isWhole = at === 0 || Math.floor(at / TEXTS_A_FILE) % 4 === index;
      const [apply, create] = await Promise.all([
        at === 0 ? applied(home, some, env) : planned(home, isWhole ? some : decided, env),
        created(home, isWhole ? some : [], env),
      ]);
      for (const [text, id] of [...apply, ...create]) {
        const place = places.get(text);
        const wanted = place ? idOf(place) : undefined;
        if (id !== wanted) wrong.push(`${name}: "${text}" is ${id}, not ${wanted}`);
      }
    }
  }
  await Promise.all([engine.stop(), tenth.close(), all.close()]);
  assert.equal(texts.length, COUNT);
  assert.equal(wrong.length, 0, `${wrong.length} differ:\n${wrong.slice(0, 30).join('\n')}`);
});

function isListOfPlaces(meaning: PlaceMeaning): boolean {
  return meaning.kind === 'several' && listPlaces(meaning) !== undefined;
}

/** The tables' texts, their parts put together in other ways, and names of bundled places; no IDs. */
function textsOf(count: number, placesMax: number, placeAt: (ordinal: number) => Place): string[] {
  const lines = ['meant-places.tsv', 'board-places.tsv'].flatMap((table) =>
    readFileSync(new URL(table, import.meta.url), 'utf8').split('\n'),
  );
  const rows = lines.flatMap((line) => line.split('\t')[0] || []);
  const parts = new Set(rows.flatMap((row) => row.split(/[,;|/()]| - | or /).map((part) => part.trim())));
  const between = fc.constantFrom(', ', ', ', ' ', ' or ', ' / ', '; ', ' - ', '-', ' and ');
  const joined = fc
    .tuple(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }), between)
    .map(([list, separator]) => list.join(separator));
  const named = fc.tuple(fc.nat(placesMax - 1), fc.nat(4)).map(([ordinal, form]) => {
    const { city, stateProvince, country } = placeAt(ordinal);
    const areas = [stateProvince, country, `${stateProvince}, ${country}`];
    return form < 3 ? `${city}, ${areas[form]}` : city;
  });
  const row = fc.constantFrom(...rows);
  const loud = fc.oneof(row, named).map((text) => text.toUpperCase());
  const texts = fc.sample(fc.oneof(joined, joined, row, named, loud), { seed: 22, numRuns: 2 * count });
  return [...new Set(texts)].filter((text) => !/^\s*(?:\d|$)/.test(text)).slice(0, count);
}

async function planned(home: Home, texts: readonly string[], env: Environment): Promise<Sent> {
  // A draft of the first file may be the same.
  const line = 'jobs plan --keep-going --create-anyway --state none.json';
  const { places } = await run<{ places: { text: string; locationId: number }[] }>(home, line, texts, env);
  const ids = new Map(places.map(({ text, locationId }) => [text, locationId]));
  return new Map(texts.map((text) => [text, ids.get(text)]));
}

async function applied(home: Home, texts: readonly string[], env: Environment): Promise<Sent> {
  const state = JSON.stringify(env).replace(/\W/g, '');
  await run(home, `jobs apply --keep-going --state ${state}.json`, texts, env);
  const { items } = await home.must<{ items: JobInput[] }>('jobs list --limit 1000', { env });
  const ids = new Map(items.map(({ title, locations }) => [title, locations?.[0]?.locationId]));
  return new Map(texts.map((text, index) => [text, ids.get(`${index}`)]));
}

async function created(home: Home, texts: readonly string[], more: Environment): Promise<Sent> {
  const streams = { canAsk: false } as Streams;
  const env = { ...home.environment(), ...more };
  const context = { streams, env, clock: Date.now, monotonicNow: Date.now } as CliContext;
  const connection = await connectToTarget({ timeoutMs: undefined, debug: false, quiet: true }, context);
  const sent = new Map<string, number | undefined>();
  await inPool(texts, 8, async (text) => {
    const listing = buildFlagListing({ title: 'Baker', locations: [text] });
    const checked = checkInput<JobInput>(listing, connection, streams, { as: 'create', draft: true });
    const refused = (error: unknown) =>
      assert.ok(error instanceof PartnerError && error.exit === 3, String(error));
    sent.set(text, (await checked.catch(refused))?.input.locations?.[0]?.locationId);
  });
  await connection.close();
  return sent;
}

async function run<T>(home: Home, line: string, texts: readonly string[], env: Environment = {}): Promise<T> {
  const drafts = texts.map((text, index) => JSON.stringify({ title: `${index}`, locations: [text] }));
  await home.file('drafts.ndjson', drafts.join('\n'));
  const argv = `${line} drafts.ndjson --json`.split(' ');
  const own = { ...home.environment(), ...env };
  const { stdout } = await runLoaded({ argv, cwd: home.path, env: own, stdin: '' }, 600_000);
  assert.ok(!stdout.includes('"error": {\n    "code"'), stdout);
  return JSON.parse(stdout) as T;
}
