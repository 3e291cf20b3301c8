import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { connect } from '../../../src/cli/connection/connect.ts';
import type { CliContext, Streams } from '../../../src/cli/terminal/streams.ts';
import { checkedInput } from '../../../src/commands/jobs/listing-input.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import type { JobInput, LocationInput } from '../../../src/contract/job.ts';
import { normalise, type Place, placeMatches, withNameBudget } from '../../../src/contract/place-names.ts';
import { inPool } from '../../../src/contract/promises.ts';
import { Gazetteer } from '../../../src/engine/places/gazetteer.ts';
import { IndexFile } from '../../../src/engine/places/index-file.ts';
import { KeyIndex } from '../../../src/engine/places/key-index.ts';
import { listingOfFlags } from '../../../src/listings/flags.ts';
import { locationInput } from '../../../src/listings/places/locations.ts';
import type { PlaceMeaning } from '../../../src/listings/places/place-meaning.ts';
import { withEngine } from '../../cli/homes.ts';
import type { CommandLine, Home } from '../../cli/partner.ts';
import { serveEngine } from '../../cli/servers.ts';
import { PLACES_PATH } from '../../http/subject.ts';
import { KEY, startSpecServer } from '../../spec-server/server.ts';

const LISTINGS_A_FILE = 2500;
/** How many of them the binary creates. */
const CREATED = 40;

type Environment = Readonly<Record<string, string>>;
type Ids = ReadonlyMap<string, number | undefined>;

/** The table's texts, their parts put together in other ways, and names of bundled places; no IDs. */
function textsOf(count: number, placesMax: number, placeAt: (ordinal: number) => Place): string[] {
  const table = readFileSync(new URL('meant-places.tsv', import.meta.url), 'utf8').split('\n');
  const rows = table.flatMap((line) => line.split('\t')[0] || []);
  const parts = new Set(rows.flatMap((row) => row.split(/[,;|/()]| - | or /).map((part) => part.trim())));
  const between = fc.constantFrom(', ', ', ', ' ', ' or ', ' / ', '; ', ' - ', '-', ' and ');
  const joined = fc
    .tuple(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }), between)
    .map(([list, separator]) => list.join(separator));
  const named = fc.tuple(fc.nat(placesMax - 1), fc.nat(4)).map(([ordinal, form]) => {
    const { city, stateProvince, country, displayName } = placeAt(ordinal);
    return (
      [displayName, `${city}, ${stateProvince}`, `${city} ${country}`, `${city}, ${country}`][form] ?? city
    );
  });
  const row = fc.constantFrom(...rows);
  const loud = fc.oneof(row, named).map((text) => text.toUpperCase());
  const texts = fc.sample(fc.oneof(joined, joined, row, named, loud), { seed: 22, numRuns: 2 * count });
  return [...new Set(texts)].filter((text) => !/^\s*(?:\d|$)/.test(text)).slice(0, count);
}

/** Gives so many texts to every command, in this process and on three servers. */
export function sameDecisionSuite(count: number): void {
  it(`each of ${count} place texts is one place for every command and server, or refused`, async function () {
    this.timeout(60_000 + 30 * count);
    const file = new IndexFile(PLACES_PATH);
    const [gazetteer, names] = [new Gazetteer(file), new KeyIndex(file, 'name')];
    const texts = textsOf(count, file.length('placeRegions') / 2, (ordinal) => gazetteer.place(ordinal));
    assert.equal(texts.length, count);
    const ordinalsOf = (city: string) => [...names.find(normalise(city).slice(0, 200)).whole];
    const all = (city: string): LocationInput[] =>
      ordinalsOf(city).map((at) => ({ ...locationInput(gazetteer.place(at)), locationId: at + 1 }));
    const isInTenth = ({ locationId }: LocationInput) =>
      (locationId * 2_654_435_761) % 2 ** 32 < 2 ** 32 / 10;
    const tenth = (city: string) =>
      ordinalsOf(city)
        .map((at) => locationInput(gazetteer.place(at)))
        .filter(isInTenth);

    const home = await withEngine();
    const served = await serveEngine(await withEngine());
    const specs = [await startSpecServer({ search: all }), await startSpecServer({ search: tenth })] as const;
    const [ofAll, ofTenth] = specs.map(({ url }) => ({ PARTNER_BASE_URL: url, PARTNER_API_KEY: KEY }));
    const bundled = ({ locationId }: Place) => locationId;
    const targets: readonly (readonly [
      name: string,
      env: Environment,
      idOf: (place: Place) => number | undefined,
    ])[] = [
      ['in process', {}, bundled],
      ['engine serve', served.env, bundled],
      [
        'a tenth of the places',
        ofTenth as Environment,
        (place) => (isInTenth(place) ? place.locationId : undefined),
      ],
      [
        'all places under other IDs',
        ofAll as Environment,
        (place) => {
          const alike = all(place.city).filter((other) => placeMatches(other, place));
          return alike.length === 1 ? alike[0]?.locationId : undefined;
        },
      ],
    ];

    const wrong: string[] = [];
    let decided: ReadonlyMap<string, Place> = new Map();
    const compare = (what: string, found: Ids, idOf: (place: Place) => number | undefined): void => {
      for (const [text, id] of found) {
        const place = decided.get(text);
        const wanted = place && idOf(place);
        if (id !== wanted) wrong.push(`${what}: ${text}: ${id}, not ${wanted} (${place?.displayName})`);
      }
    };
    for (let at = 0; at < count; at += LISTINGS_A_FILE) {
      const some = texts.slice(at, at + LISTINGS_A_FILE);
      await home.file('texts.ndjson', listings(some));
      await home.file('few.ndjson', listings(some.slice(0, CREATED)));
      decided = await resolved(home);
      const isDecided = (text: string) => decided.has(text);
      assert.equal(await errorsOf(home, some.filter(isDecided)), 0);
      const others = some.filter((text) => !isDecided(text));
      assert.equal(await errorsOf(home, others), others.length);
      for (const [index, [name, env, idOf]] of targets.entries()) {
        const isFirst = at === 0;
        // What is sent by `create` is decided by the code of `apply`: each text goes to one server.
        const isCreated = isFirst || (at / LISTINGS_A_FILE) % targets.length === index;
        const [plan, sent] = await Promise.all([
          planned(home, some, env),
          isCreated ? checked(home, some, env) : new Map<string, number>(),
        ]);
        compare(`apply, ${name}`, plan, idOf);
        compare(`create, ${name}`, sent, idOf);
        if (isFirst) compare(`created, ${name}`, await created(home, some.slice(0, CREATED), env), idOf);
      }
    }
    await served.stop();
    for (const server of specs) await server.close();
    assert.equal(wrong.length, 0, `${wrong.length} differ:\n${wrong.slice(0, 30).join('\n')}`);
  });
}

async function resolved(home: Home): Promise<ReadonlyMap<string, Place>> {
  const { items } = await answered<{ items: { text: string; meaning: PlaceMeaning }[] }>(
    home,
    'locations resolve texts.ndjson --json',
  );
  return new Map(
    items.flatMap(({ text, meaning }) => (meaning.kind === 'place' ? [[text, meaning.place]] : [])),
  );
}

function listings(texts: readonly string[]): string {
  return texts.map((text, index) => JSON.stringify({ title: `${index}`, locations: [text] })).join('\n');
}

async function errorsOf(home: Home, texts: readonly string[]): Promise<number> {
  await home.file('some.ndjson', listings(texts));
  return (await answered<{ errors: number }>(home, 'jobs validate some.ndjson --draft --json')).errors;
}

async function planned(home: Home, texts: readonly string[], env: Environment): Promise<Ids> {
  const { places } = await answered<{ places: { text: string; locationId: number }[] }>(
    home,
    'jobs plan texts.ndjson --keep-going --state none.json --json',
    env,
  );
  const ids = new Map(places.map(({ text, locationId }) => [text, locationId]));
  return new Map(texts.map((text) => [text, ids.get(text)]));
}

/** What `jobs create --location TEXT` would send. */
async function checked(home: Home, texts: readonly string[], more: Environment): Promise<Ids> {
  const streams = { canAsk: false, writeErr: async () => {} } as unknown as Streams;
  const env = { ...home.environment(), ...more };
  const interrupted = new AbortController().signal;
  const context = {
    streams,
    env,
    interrupted,
    clock: Date.now,
    monotonicNow: Date.now,
  } as unknown as CliContext;
  const connection = await connect({ timeoutMs: undefined, debug: false, quiet: true }, context);
  const { placeSource: source } = connection;
  // Suggestions for what is misspelt decide nothing, and take most of the time.
  const places = withNameBudget(source.places ?? (await source.bundledPlaces()), 0);
  const placeSource = source.places ? { places } : { ...source, bundledPlaces: async () => places };
  const found = new Map<string, number | undefined>();
  await inPool(texts, 8, async (text) => {
    const listing = listingOfFlags({ title: 'Baker', locations: [text] });
    const as = { as: 'create', draft: true } as const;
    const own = { ...connection, placeSource, places: source.places && places };
    const sent = checkedInput<JobInput>(listing, own, streams, as).catch((error: unknown) => {
      if (error instanceof PartnerError && error.exit === 3) return undefined;
      throw error;
    });
    found.set(text, (await sent)?.input.locations?.[0]?.locationId);
  });
  await connection.close();
  return found;
}

/** Where the jobs are that `jobs apply` creates. */
async function created(home: Home, texts: readonly string[], env: Environment): Promise<Ids> {
  const state = `${(env.PARTNER_BASE_URL ?? '').replace(/\D/g, '')}.json`;
  await answered(home, `jobs apply few.ndjson --keep-going --state ${state} --json`, env);
  const { items } = await answered<{ items: JobInput[] }>(home, 'jobs list --limit 100 --json', env);
  const ids = new Map(items.map(({ title, locations }) => [title, locations?.[0]?.locationId]));
  return new Map(texts.map((text, index) => [text, ids.get(String(index))]));
}

async function answered<T>(home: Home, line: CommandLine, env: Environment = {}): Promise<T> {
  return (await home.run(line, { env })).json() as T;
}
