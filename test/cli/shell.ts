import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY, type Home } from './partner.ts';

export async function shellEnvironment(home: Home): Promise<Record<string, string>> {
  const folder = join(home.path, 'bin');
  mkdirSync(folder, { recursive: true });
  const launcher = join(folder, 'partner');
  // Synchronous: a child spawned while this file is open for writing inherits it, and running it fails with ETXTBSY.
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`);
  chmodSync(launcher, 0o755);
  const environment = home.environment();
  return { ...environment, PATH: `${folder}:${environment.PATH}`, LC_ALL: 'C.UTF-8' };
}

export function isMissing(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) console.error(`    not tested, as it is not installed: ${missing.join(', ')}`);
  return missing.length > 0;
}

/** Skips the tests of a `describe` if one of the programs is missing. */
export function requirePrograms(...programs: readonly string[]): void {
  before(function () {
    if (isMissing(...programs)) this.skip();
  });
}

export function isNotHere(path: string): boolean {
  const isHere = existsSync(path);
  if (!isHere) console.error(`    not tested, as it is not here: ${path}`);
  return !isHere;
}

const installed = new Map<string, boolean>();

function isInstalled(program: string): boolean {
  const known = installed.get(program);
  if (known !== undefined) return known;
  const answers = spawnSync(program, [program === 'tmux' ? '-V' : '--version']).status === 0;
  installed.set(program, answers);
  return answers;
}
