import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Call it inside `describe`: the directory is deleted after the last test. */
export function temporaryDirectory(): (name: string) => string {
  const directory = mkdtempSync(join(tmpdir(), 'partner-engine-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  return (name) => join(directory, name);
}
