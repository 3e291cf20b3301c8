import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const LIBSQL = createRequire(import.meta.url).resolve('libsql');
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Files next to a module are found from where the module was. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup(building) {
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path)),
      ),
      loader: 'ts',
    }));
  },
};

let directory: string | undefined;
const built = new Map<string, Promise<string>>();

/**
 * A script in TypeScript, or code that imports from the repository's root, as a file that Node runs by itself: tsx
 * takes longer to start than most of them to end.
 */
export function childScript(script: URL | string): Promise<string> {
  const made = built.get(String(script)) ?? buildScript(script, `${built.size}.mjs`);
  built.set(String(script), made);
  return made;
}

async function buildScript(script: URL | string, name: string): Promise<string> {
  directory ??= makeDirectory();
  const outfile = join(directory, name);
  await build({
    ...(typeof script === 'string'
      ? { stdin: { contents: script, resolveDir: ROOT, loader: 'ts' } }
      : { entryPoints: [fileURLToPath(script)] }),
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [ownUrls],
    // Its native part is found from where it is installed only.
    alias: { libsql: LIBSQL },
    external: [LIBSQL, '@electric-sql/pglite'],
    logLevel: 'error',
  });
  return outfile;
}

function makeDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'partner-scripts-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}
