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

/** What the outside of the tool looks like: a script that holds on to it breaks where one of these changes. */
const SNAPSHOTS: Readonly<Record<string, () => string | Promise<string>>> = {
  'commands.txt': commandTree,
  'json-shapes.txt': jsonShapes,
  'errors.txt': errorTable,
};

/** Writes every snapshot anew. */
export async function writeSnapshots(): Promise<void> {
  await mkdir(join(root, FOLDER), { recursive: true });
  for (const [file, render] of Object.entries(SNAPSHOTS)) {
    await writeFile(join(root, FOLDER, file), await render());
  }
}

/** Says where a snapshot and what it is of differ, and what to do; empty where nothing does. */
export async function snapshotDifferences(): Promise<string> {
  const differences: string[] = [];
  for (const [file, render] of Object.entries(SNAPSHOTS)) {
    const written = await readFile(join(root, FOLDER, file), 'utf8').catch(() => '');
    const now = await render();
    if (now !== written) differences.push(await difference(file, now));
  }
  if (differences.length === 0) return '';
  return `${differences.join('')}\nwhere that is meant, \`npm run snapshots\` writes them anew\n`;
}

/** The lines that are no longer as they were written, as git shows them. */
async function difference(file: string, now: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'partner-snapshots-'));
  try {
    await writeFile(join(scratch, file), now);
    const git = ['diff', '--no-index', '--no-color', '--unified=3', join(FOLDER, file), join(scratch, file)];
    const { stdout } = spawnSync('git', git, { cwd: root, encoding: 'utf8' });
    const lines = (stdout ?? '').split('\n').filter((line) => /^(?:[-+ ](?![-+]{2})|@@)/.test(line));
    return `${FOLDER}/${file} is not as it was written:\n${lines.join('\n')}\n`;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
