import type { PartnerError } from '../../../src/contract/errors.ts';
import { openSqliteStore } from '../../../src/engine/store/sqlite.ts';

/** The process runs as this user, so that file permissions apply even if the tests run as root. */
const NOBODY = 65_534;

if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

process.on('message', async (path: string) => {
  try {
    await (await openSqliteStore(path)).close();
    process.send?.({ code: 'opened', message: '' });
  } catch (error) {
    const { code, message } = error as PartnerError;
    process.send?.({ code, message });
  }
});
process.send?.('ready');
