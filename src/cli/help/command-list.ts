import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { PACKAGE_ROOT } from '../../package.ts';

/** What the build wrote down of every command (`scripts/manifest.ts`), so that none has to be loaded. Throws FILE_UNREADABLE. */
export function commandList(): Command.Cached[] {
  const path = join(PACKAGE_ROOT, 'dist', 'commands.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const what = cause instanceof SyntaxError ? 'it is damaged' : reasonOf(cause);
    throw new PartnerError('FILE_UNREADABLE', {
      message: `the list of commands ${path} cannot be read: ${what}`,
      hint: 'install partner again; in a checkout, run `npm run build`',
      cause,
    });
  }
}
