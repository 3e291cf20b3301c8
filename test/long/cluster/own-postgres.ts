import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../../../scripts/postgres.sh', import.meta.url));

/** Why there is no server that a test may restart; undefined where there can be one. */
export const NO_POSTGRES = existsSync('/usr/lib/postgresql')
  ? undefined
  : 'skipped: PostgreSQL is not installed in /usr/lib/postgresql';

export type OwnPostgres = Awaited<ReturnType<typeof startPostgres>>;

/** A PostgreSQL server of the caller's own, empty, which it has to stop. */
export async function startPostgres() {
  const directory = await mkdtemp(join(tmpdir(), 'partner-postgres-'));
  // For the server's own user, where this is root.
  await chmod(directory, 0o755);
  const control = async (verb: string): Promise<string> =>
    (await promisify(execFile)('bash', [SCRIPT, verb, directory])).stdout.trim();
  const url = await control('start');
  return {
    url,
    restart: () => control('restart'),
    crash: () => control('crash'),
    log: () => readFile(join(directory, 'log'), 'utf8'),
    async stop() {
      await control('stop');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
