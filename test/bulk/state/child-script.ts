import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const LIBSQL = createRequire(import.meta.url).resolve('libsql');

/** A script in TypeScript as one that Node runs by itself: tsx would take longer to start than most of them to end. */
export function childScript(script: URL): string {
  directory ??= made();
  const entry = fileURLToPath(script);
  const outfile = join(directory, `${basename(entry, '.ts')}.mjs`);
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Its native part is found from where it is installed only.
    alias: { libsql: LIBSQL },
    external: [LIBSQL],
  });
  return outfile;
}

let directory: string | undefined;

function made(): string {
  const path = mkdtempSync(join(tmpdir(), 'partner-scripts-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}
