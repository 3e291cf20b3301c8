import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of its own for each test of the suite that calls this, gone after it. */
export function tempDirectory(): (...inside: string[]) => string {
  let directory = '';
  beforeEach(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'partner-test-')));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  return (...inside) => join(directory, ...inside);
}
