import type { IncomingMessage, RequestListener } from 'node:http';

/** A partner key of nobody. */
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

/** Answers every call with this JSON. */
export function answering(status: number, body: unknown, headers: Record<string, string> = {}): Answerer {
  return (_, __, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** The environment in which calls go to a server. */
export function callsTo({ origin }: { readonly origin: string }) {
  return { PARTNER_BASE_URL: `${origin}/v1`, PARTNER_API_KEY: KEY };
}
