import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What came of an editor: the text that it saved and, where it did not end as it should, why. */
export interface Edited {
  readonly text: string;
  readonly failed?: string;
}

/** The editor that the environment names, as git and others read it; undefined where it names none. */
export function editorIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || undefined;
}

/**
 * Has a text edited by a command such as `nano` or `code --wait`, in a file that nobody else can read. What was saved is
 * given also where the editor failed. `file` is the file's name: editors colour by its ending.
 */
export async function edited(command: string, text: string, file: string): Promise<Edited> {
  let directory: string | undefined;
  try {
    directory = mkdtempSync(join(tmpdir(), 'partner-'));
    const path = join(directory, file);
    writeFileSync(path, text, { mode: 0o600 });
    const failed = await run(command, path);
    const saved = readFileSync(path, 'utf8').trimEnd();
    return failed === undefined ? { text: saved } : { text: saved, failed };
  } catch (error) {
    return { text, failed: error instanceof Error ? error.message : String(error) };
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }
}

/** Done when the editor has ended; gives why it failed. Its screen is the terminal that the questions are on. */
async function run(command: string, path: string): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  const stdio = [0, 2, 2];
  const editor =
    process.platform === 'win32'
      ? spawn(`${command} "${path}"`, { stdio, shell: true })
      : spawn('sh', ['-c', `${command} "$1"`, 'sh', path], { stdio });
  return new Promise((resolve) => {
    editor.once('error', ({ message }) => resolve(message));
    editor.once('exit', (code, signal) => {
      const end = signal === null ? `it ended with ${code}` : `it was ended by ${signal}`;
      resolve(code === 0 ? undefined : end);
    });
  });
}
