import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from './bundle.ts';
import { commandManifest } from './manifest.ts';
import { buildPlaces } from './places.ts';

const run = promisify(execFile);
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const startedAt = performance.now();
await mkdir(at('dist'), { recursive: true });
// The places change with their packages only, and take longer than all the rest.
if (!existsSync(at('dist/places.bin'))) await buildPlaces(at('dist/places.bin'));
await writeFile(at('dist/commands.json'), JSON.stringify(await commandManifest()));
await bundle(at('src/cli.ts'), at('dist'));
await run(process.execPath, [at('scripts/compile.mjs')]);
console.error(`built dist/ in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
