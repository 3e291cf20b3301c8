import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ifThere = (path: string) => (existsSync(path) ? undefined : `skipped: ${path} isn't installed`);

export const NO_POSTGRES = ifThere('/usr/lib/postgresql');
export const NO_NGINX =
  process.getuid?.() === 0 ? ifThere('/usr/sbin/nginx') : "skipped: only root may write nginx's log";

/** The caller must stop the server. */
async function startServer(script: string, ...settings: string[]) {
  const path = fileURLToPath(new URL(`../../../scripts/${script}`, import.meta.url));
  const directory = await mkdtemp(join(tmpdir(), 'partner-server-'));
  // If this is root, the server runs as another user, who needs access.
  await chmod(directory, 0o755);
  const control = async (verb: string) =>
    (await promisify(execFile)('bash', [path, verb, directory, ...settings])).stdout.trim();
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

export type OwnServer = Awaited<ReturnType<typeof startServer>>;

export const startPostgres = () => startServer('postgres.sh');

export const startNginx = (engines: readonly { readonly origin: string }[]) =>
  startServer('nginx.sh', ...engines.map(({ origin }) => new URL(origin).host));
