import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodePlaces } from './places/encode.ts';
import { gazetteerOf, readGeoNames, readRegionNames } from './places/gazetteer.ts';

/** Builds the place index from the GeoNames packages, and replaces the file atomically. */
export async function buildPlaces(outFile: string): Promise<{ places: number; bytes: number }> {
  const gazetteer = gazetteerOf(await readGeoNames(), await readRegionNames());
  const bytes = encodePlaces(gazetteer);
  await writeAtomically(outFile, bytes);
  return { places: gazetteer.places.length, bytes: bytes.length };
}

/** Replaces a file atomically, so that readers see either the old or the new content. */
export async function writeAtomically(outFile: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(outFile), { recursive: true });
  const unfinished = `${outFile}.${process.pid}.new`;
  try {
    const file = await open(unfinished, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, outFile);
  } finally {
    await rm(unfinished, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outFile = process.argv[2] ?? 'dist/places.bin';
  // A top-level await would load all modules again, as ES modules, in every test that imports this file.
  void buildPlaces(outFile).then(({ places, bytes }) =>
    console.log(`${outFile}: ${places} places, ${bytes} bytes`),
  );
}
