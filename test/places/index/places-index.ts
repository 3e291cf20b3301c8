import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GeoName, readGeoNames } from '../../../scripts/places/gazetteer.ts';
import { buildPlaces } from '../../../scripts/places.ts';

const BUILT = fileURLToPath(new URL('../../../dist/places.bin', import.meta.url));

let geoNames: Promise<GeoName[]> | undefined;
let path: Promise<string> | undefined;

/** The index of all places: the one of the last build, or one made for this run of the tests. */
export function placesIndex(): Promise<string> {
  path ??= existsSync(BUILT) ? Promise.resolve(BUILT) : builtForThisRun();
  return path;
}

/** The places as GeoNames has them, read once for all tests. */
export function allGeoNames(): Promise<GeoName[]> {
  geoNames ??= readGeoNames();
  return geoNames;
}

async function builtForThisRun(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'places-'));
  // No hook of a suite would do: of a module that several files load, it runs with the first file alone.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'places.bin');
  await buildPlaces(file);
  return file;
}
