import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const LIBSQL = createRequire(import.meta.url).resolve('libsql');

/** Bundles a TypeScript file for Node, because tsx would take longer to start than most scripts run. */
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
    // Not bundled, because its native module is found only from its own directory.
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
