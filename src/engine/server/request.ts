import type { IncomingMessage } from 'node:http';
import { PartnerError } from '../../contract/errors.ts';
import type { PlainRequest } from '../../contract/http-messages.ts';
import type { ClientFacts } from './proxies.ts';

export function toPlainRequest(incoming: IncomingMessage, client: ClientFacts | undefined): PlainRequest {
  const { method = 'GET', headers } = incoming;
  const host = client?.host ?? headers.host ?? '';
  const url = buildUrl(incoming.url ?? '', host, client?.protocol ?? 'http');
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? value : (value?.join(', ') ?? null);
  };
  return { method, url, headers: { get }, body: incoming };
}

const USUAL_HOST = /^[a-z0-9.-]+:\d{4,5}$/;
/** Matches only targets that URL parsing wouldn't change. For example, `/../` doesn't match. */
const USUAL_TARGET = /^\/(?!\/)[\w~-]*(?:[/?&=,+%][\w~-]+)*$/;

function buildUrl(target: string, host: string, scheme: string): string {
  if (USUAL_HOST.test(host) && USUAL_TARGET.test(target)) return `${scheme}://${host}${target}`;
  try {
    if (target.split('?', 1)[0]?.includes('\\')) throw new TypeError('a backslash in the path');
    if (/^https?:\/\//.test(target)) return new URL(target).href;
    const { hostname } = new URL(`${scheme}://${host}`);
    if (!target.startsWith('/') || hostname !== host.replace(/:\d*$/, '').toLowerCase()) {
      throw new TypeError('invalid host or path');
    }
    return new URL(`${scheme}://${host}${target}`).href;
  } catch (cause) {
    throw new PartnerError('VALIDATION_FAILED', { message: 'invalid request URL or Host header', cause });
  }
}
