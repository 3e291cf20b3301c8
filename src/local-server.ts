import { get } from 'node:http';
import { isLoopback } from './contract/loopback.ts';
import { identifiable, newChallenge, newSecret } from './engine/identity.ts';
import { type Served, type ServeOptions, serveEngine } from './engine/serve.ts';
import { isoTime } from './engine/time.ts';
import { type AnnouncedServer, announce, announcedServers, withdraw } from './settings/servers.ts';

/** A server of this machine's engine. */
export interface LocalServer extends Served {
  /** Where it is reached from this machine. */
  readonly origin: string;
  /** Whether other machines may reach it too. */
  readonly isOpenToOthers: boolean;
  /** False where it could not say that it runs: nobody will find it. */
  readonly isAnnounced: boolean;
}

/** How long a server that was announced has for its proof: it is on this machine. */
const PROOF_MS = 2_000;
const PROOF_CHARACTERS_MAX = 100;

/** Serves the engine, and says so in `directory` for as long as it does. Throws what `serveEngine` throws. */
export async function serveAnnounced(
  options: ServeOptions,
  directory: string,
  now: number,
): Promise<LocalServer> {
  const secret = newSecret();
  const engine = { fetch: identifiable(options.engine.fetch, secret) };
  const served = await serveEngine({ ...options, engine });
  const origin = originOf(served.url);
  const server = { pid: process.pid, origin, secret, startedAt: isoTime(now) };
  const isAnnounced = succeeds(() => {
    const killed = announcedServers(directory).filter(({ pid }) => !isAlive(pid));
    for (const each of killed) withdraw(directory, each);
    announce(directory, server);
  });
  return {
    ...served,
    origin,
    isOpenToOthers: !isLoopback(new URL(served.url).hostname),
    isAnnounced,
    async close() {
      succeeds(() => withdraw(directory, server));
      await served.close();
    },
  };
}

/** The origin of a server that was announced in `directory` and is there; that on `port` where one is named. */
export async function runningServer(directory: string, port?: number): Promise<string | undefined> {
  for (const server of announcedServers(directory)) {
    const isMeant = port === undefined || (new URL(server.origin).port || '80') === String(port);
    if (isMeant && isAlive(server.pid) && (await isItself(server))) return server.origin;
  }
  return undefined;
}

/** What listens on every address is reached at this machine's own. */
function originOf(url: string): string {
  return new URL(url).origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether what listens there is the server that was announced, not another that came after it. */
function isItself({ origin, secret }: AnnouncedServer): Promise<boolean> {
  const { url, proof } = newChallenge(origin, secret);
  return new Promise((resolve) => {
    // Never through a proxy: it is on this machine.
    const asked = get(url, { agent: false, signal: AbortSignal.timeout(PROOF_MS) }, (answer) => {
      let said = '';
      answer.setEncoding('utf8');
      answer.on('data', (text: string) => {
        said += text;
        if (said.length > PROOF_CHARACTERS_MAX) answer.destroy();
      });
      answer.on('close', () => resolve(said === proof));
      answer.on('error', () => resolve(false));
    });
    asked.on('error', () => resolve(false));
  });
}

/** A server serves, found or not. */
function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
