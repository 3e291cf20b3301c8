// Around `npm pack`: the package.json in the tarball names as dependencies only what `dist/` does not contain.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** libsql brings the SQLite driver, which is native and chosen for each machine when it is installed. */
const INSTALLED = ['libsql'];

const manifest = fileURLToPath(new URL('../package.json', import.meta.url));
const original = `${manifest}.original`;

if (process.argv.includes('--restore')) {
  renameSync(original, manifest);
} else {
  // Left behind by a pack that failed: then package.json is the shortened one.
  if (existsSync(original)) renameSync(original, manifest);
  const text = readFileSync(manifest, 'utf8');
  const { devDependencies: _, ...published } = JSON.parse(text);
  published.dependencies = Object.fromEntries(INSTALLED.map((name) => [name, published.dependencies[name]]));
  writeFileSync(original, text);
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`);
}
