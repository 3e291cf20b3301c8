// Runs before and after `npm pack`, so that package.json in the tarball omits dependencies that `dist/` contains.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs the SQLite driver, which is native code, so npm must choose the build for each machine. */
const INSTALLED = ['libsql'];

const manifest = fileURLToPath(new URL('../package.json', import.meta.url));
const original = `${manifest}.original`;

if (process.argv.includes('--restore')) {
  renameSync(original, manifest);
} else {
  // Restores package.json after a failed pack, because it's still the shortened one.
  if (existsSync(original)) renameSync(original, manifest);
  const text = readFileSync(manifest, 'utf8');
  const { devDependencies: _, ...published } = JSON.parse(text);
  published.dependencies = Object.fromEntries(INSTALLED.map((name) => [name, published.dependencies[name]]));
  writeFileSync(original, text);
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`);
}
