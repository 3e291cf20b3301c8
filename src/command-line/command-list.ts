import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { PACKAGE_ROOT } from '../package.ts';

/** What the build wrote down of every command (`scripts/manifest.ts`), so that none has to be loaded. */
export function commandList(): Command.Cached[] {
  return JSON.parse(readFileSync(join(PACKAGE_ROOT, 'dist', 'commands.json'), 'utf8'));
}
