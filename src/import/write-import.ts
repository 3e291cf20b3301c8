import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartnerError } from '../contract/errors.ts';
import { attemptWrite } from '../contract/system-errors.ts';
import { refuseLink, replaceFile } from '../files/own-file.ts';
import { type ImportState, importStatePath, importStateText } from './import-state.ts';
import type { ImportItem } from './plan-import.ts';

const FILES_A_TURN = 16;

/**
 * Writes and removes files of a planned import. If it stops early, files are complete and finished items are recorded.
 * Throws OUTPUT_UNWRITABLE, LINK_REFUSED and INTERRUPTED.
 */
export async function writeImport(
  directory: string,
  items: readonly ImportItem[],
  before: ImportState,
  interrupted: AbortSignal,
): Promise<void> {
  const state = new Map(before);
  try {
    for (const [at, item] of items.entries()) {
      if (at % FILES_A_TURN === 0) await nextTurn();
      if (interrupted.aborted) throw new PartnerError('INTERRUPTED');
      writeItem(directory, item);
      if (item.entry === undefined) state.delete(item.key);
      else state.set(item.key, item.entry);
    }
  } finally {
    const path = importStatePath(directory);
    attemptWrite(path, () => {
      refuseLink(dirname(path));
      replaceFile(path, importStateText(state));
    });
  }
}

function writeItem(directory: string, { file, text, status }: ImportItem): void {
  const path = join(directory, file);
  attemptWrite(path, () => {
    // Skips the disk sync for new files, because the next import would write them again.
    if (text !== undefined) replaceFile(path, text, { skipsSync: status === 'new' });
    else if (status === 'removed') rmSync(path, { force: true });
  });
}
