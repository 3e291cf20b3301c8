import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory for one test file, gone after its last test. To be called inside `describe`. */
export function temporaryDirectory(): (name: string) => string {
  const directory = mkdtempSync(join(tmpdir(), 'partner-engine-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  return (name) => join(directory, name);
}
