import type { IncomingMessage, RequestListener } from 'node:http';
import type { Home, Running, RunOptions } from './partner.ts';

export const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';

type Answerer = (
  arrived: {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  },
  ...io: Parameters<RequestListener>
) => void;

export function answering(status: number, body: unknown, headers: Record<string, string> = {}): Answerer {
  return (_, __, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export function callsTo({ origin }: { readonly origin: string }) {
  return { PARTNER_BASE_URL: `${origin}/v1`, PARTNER_API_KEY: KEY };
}

export interface ServedEngine {
  readonly url: string;
  readonly running: Running;
  readonly env: { readonly PARTNER_BASE_URL: string; readonly PARTNER_API_KEY: string };
  /** Stops it as Ctrl-C does; returns its stderr. */
  stop(): Promise<string>;
}

export async function serveEngine(home: Home, flags = '--port 0', more: RunOptions = {}) {
  const { key } = await home.must<{ key: string }>('engine keys create', more);
  const running = home.start(`engine serve --json ${flags}`, more);
  const { url } = JSON.parse(await running.shown('stdout', /\n/)) as { url: string };
  const stop = async (): Promise<string> => {
    running.child.kill('SIGINT');
    return (await running.ended).stderr;
  };
  return { url, running, env: { PARTNER_BASE_URL: url, PARTNER_API_KEY: key }, stop };
}

export function logLines(stderr: string): Readonly<Record<string, unknown>>[] {
  return stderr.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
}
