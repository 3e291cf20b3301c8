import type { SourceFile } from './source-files.ts';

interface Room {
  /** Path prefix of the files in the room. */
  readonly path: string;
  /** Folders, files and packages that the room may also import. `node:` allows all of Node's modules. */
  readonly may: readonly string[];
}

const CONTRACT = ['src/contract/', 'src/text/'];
const LISTINGS = [...CONTRACT, 'src/json/', 'src/files/', 'src/places/', 'src/listings/', 'node:'];
const CLI = [...LISTINGS, 'src/client/', 'src/package.ts'];

/** Imports allowed per room. The first matching row applies to a file. Type-only imports are always allowed. */
const ROOMS: readonly Room[] = [
  { path: 'src/text/', may: [] },
  { path: 'src/contract/', may: [...CONTRACT, 'zod'] },
  { path: 'src/json/', may: CONTRACT },
  { path: 'src/files/', may: [...CONTRACT, 'libsql', 'node:'] },
  { path: 'src/places/decide/', may: [...CONTRACT, 'src/places/'] },
  { path: 'src/places/index/rank.ts', may: CONTRACT },
  { path: 'src/places/', may: [...CONTRACT, 'src/files/', 'quick-lru', 'node:'] },
  { path: 'src/client/', may: [...CONTRACT, 'undici', 'node:'] },
  { path: 'src/engine/lifecycle/', may: CONTRACT },
  { path: 'src/engine/billing/', may: [...CONTRACT, 'src/engine/lab/draws.ts'] },
  {
    path: 'src/engine/',
    may: [
      ...CONTRACT,
      'src/json/',
      'src/places/',
      'src/files/',
      'hono',
      'kysely',
      'libsql',
      'quick-lru',
      'pg',
      'pino',
      'prom-client',
      'node:',
    ],
  },
  {
    path: 'src/listings/',
    may: [
      ...LISTINGS,
      'zod',
      'quick-lru',
      'picomatch',
      'yaml',
      'csv-parse',
      'read-excel-file',
      'write-excel-file',
      'fflate',
    ],
  },
  {
    path: 'src/import/',
    may: [...LISTINGS, 'zod', 'yaml', 'html-to-text', 'htmlparser2'],
  },
  { path: 'src/bulk/', may: [...LISTINGS, 'pg', 'zod'] },
  { path: 'src/reports/', may: [...LISTINGS, 'src/import/', 'src/bulk/', 'src/cli/terminal/'] },
  {
    path: 'src/cli/terminal/',
    may: [
      ...CONTRACT,
      'inquirer',
      '@inquirer/',
      'cli-table3',
      'ora',
      'fast-string-width',
      'fast-wrap-ansi',
      'node:',
    ],
  },
  { path: 'src/cli/settings/', may: [...CONTRACT, 'src/files/', 'conf', 'node:'] },
  { path: 'src/cli/connection/', may: [...CLI, 'src/cli/', 'src/engine/'] },
  { path: 'src/cli/places/', may: [...CLI, 'src/cli/terminal/', '@inquirer/'] },
  { path: 'src/cli/', may: [...CLI, '@oclif/core'] },
  {
    path: 'src/commands/',
    may: [...CLI, 'src/cli/', 'src/import/', 'src/bulk/', 'src/reports/', '@oclif/core', 'open'],
  },
];

/** Commands can't import files of another topic. Code that several topics need belongs in `cli`. */
const TOPIC = /^src\/commands\/([a-z]+)\//;

/** Returns every import that the table doesn't allow, as `FILE imports IMPORT`. */
export function strayImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) => {
    const room = ROOMS.find((one) => path.startsWith(one.path));
    if (room === undefined) return [];
    return imports
      .filter(({ from, isTypeOnly }) => !isTypeOnly && !mayImport(room, path, from))
      .map(({ from }) => `${path} imports ${from}`);
  });
}

function mayImport(room: Room, path: string, from: string): boolean {
  const topic = TOPIC.exec(path)?.[1];
  if (topic !== undefined && from.startsWith('src/commands/')) return TOPIC.exec(from)?.[1] === topic;
  if (from.startsWith(room.path)) return true;
  return room.may.some((name) =>
    name.endsWith('/') || name.endsWith(':')
      ? from.startsWith(name)
      : from === name || from.startsWith(`${name}/`),
  );
}
