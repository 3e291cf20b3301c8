import type { SourceFile } from './source-files.ts';

interface Room {
  /** What its files' paths begin with. */
  readonly path: string;
  /** What a file of it may load beside its own room: a folder, a file, a package, or `node:` for all of Node's modules. */
  readonly may: readonly string[];
}

const CLI = ['src/contract/', 'src/client/', 'src/listings/', 'src/files/', 'src/package.ts', 'node:'];

/** The import table of the house: the first row that fits a file counts. Type-only imports may cross any line of it. */
const ROOMS: readonly Room[] = [
  // The client and the engine judge addresses by Node's own table of ranges.
  { path: 'src/contract/public-address.ts', may: ['src/contract/', 'node:net'] },
  { path: 'src/contract/', may: ['zod'] },
  { path: 'src/client/', may: ['src/contract/', 'undici', 'node:'] },
  { path: 'src/engine/lifecycle/', may: ['src/contract/'] },
  { path: 'src/engine/billing/', may: ['src/contract/', 'src/engine/lab/draws.ts'] },
  { path: 'src/engine/places/rank.ts', may: ['src/contract/'] },
  {
    path: 'src/engine/',
    may: [
      'src/contract/',
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
  { path: 'src/files/', may: ['src/contract/', 'libsql', 'node:'] },
  {
    path: 'src/listings/',
    may: [
      'src/contract/',
      'src/files/',
      'zod',
      'quick-lru',
      'tinyglobby',
      'picomatch',
      'yaml',
      'csv-parse',
      'read-excel-file',
      'write-excel-file',
      'html-to-text',
      'htmlparser2',
      'fflate',
      'node:',
    ],
  },
  {
    path: 'src/bulk/view/',
    may: ['src/contract/', 'src/listings/', 'src/bulk/', 'src/cli/terminal/', 'node:'],
  },
  { path: 'src/bulk/', may: ['src/contract/', 'src/listings/', 'src/files/', 'pg', 'zod', 'node:'] },
  {
    path: 'src/cli/terminal/',
    may: ['src/contract/', 'inquirer', '@inquirer/', 'cli-table3', 'ora', 'string-width', 'node:'],
  },
  { path: 'src/cli/settings/', may: ['src/contract/', 'src/files/', 'conf', 'node:'] },
  { path: 'src/cli/connection/', may: [...CLI, 'src/cli/', 'src/engine/'] },
  { path: 'src/cli/', may: [...CLI, '@oclif/core'] },
  { path: 'src/commands/', may: [...CLI, 'src/cli/', 'src/bulk/', '@oclif/core', 'open'] },
];

/** A command's folder belongs to its topic; what two topics need is in `cli`. */
const TOPIC = /^src\/commands\/([a-z]+)\//;

/** Every import that the table does not allow, as `file imports what`. */
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
