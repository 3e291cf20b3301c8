import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandTree } from './command-tree.ts';
import { errorTable } from './error-table.ts';
import { jsonShapes } from './journey.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = 'test/snapshots';

/** Public interfaces of the CLI. A change to one of them can break users' scripts. */
const SNAPSHOTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'commands.txt': commandTree,
  'json-shapes.txt': jsonShapes,
  'errors.txt': errorTable,
};

export async function writeSnapshots(): Promise<void> {
  await mkdir(join(root, FOLDER), { recursive: true });
  for (const [file, render] of Object.entries(SNAPSHOTS)) {
    await writeFile(join(root, FOLDER, file), await render());
  }
}

/** Returns the differences and how to resolve them, or an empty string. */
export async function snapshotDifferences(): Promise<string> {
  const differences: string[] = [];
  for (const [file, render] of Object.entries(SNAPSHOTS)) {
    const written = await readFile(join(root, FOLDER, file), 'utf8').catch(() => '');
    const now = await render();
    if (now !== written) differences.push(await difference(file, now));
  }
  if (differences.length === 0) return '';
  return `${differences.join('')}\nIf the changes are intended, run \`npm run snapshots\` to update the snapshots.\n`;
}

/** Returns the changed lines in git's diff format. */
async function difference(file: string, now: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'partner-snapshots-'));
  try {
    await writeFile(join(scratch, file), now);
    const git = ['diff', '--no-index', '--no-color', '--unified=3', join(FOLDER, file), join(scratch, file)];
    const { stdout } = spawnSync('git', git, { cwd: root, encoding: 'utf8' });
    const lines = (stdout ?? '').split('\n').filter((line) => /^(?:[-+ ](?![-+]{2})|@@)/.test(line));
    return `${FOLDER}/${file} is outdated:\n${lines.join('\n')}\n`;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
