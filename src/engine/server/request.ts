import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { PartnerError } from '../../contract/errors.ts';
import { LateRequest } from '../../contract/whole-text.ts';
import { INCOMING } from '../http/body.ts';
import type { ClientFacts } from './proxies.ts';

/** A request as the applications take it, without the stream and the signal of a real one. Throws VALIDATION_FAILED. */
export function requestOf(incoming: IncomingMessage, client: ClientFacts | undefined): Request {
  const { method = 'GET' } = incoming;
  const host = client?.host ?? incoming.headers.host ?? '';
  const url = urlOf(incoming.url ?? '', host, client?.protocol ?? 'http');
  const headers = new IncomingHeaders(incoming.headers) as unknown as Headers;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new LateRequest({ method, url, headers, [INCOMING]: incoming } as Partial<Request>, () => {
    const body = hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' };
    return new Request(url, { method, headers: [...headers], ...body } as RequestInit);
  }) as Request;
}

/** Those of Node, which has joined what came twice, in the form of fetch's. */
class IncomingHeaders implements Pick<Headers, 'get' | 'has' | 'delete' | 'forEach'> {
  constructor(private readonly given: IncomingHttpHeaders) {}

  get(name: string): string | null {
    const value = this.given[name.toLowerCase()];
    return typeof value === 'string' ? value : (value?.join(', ') ?? null);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  delete(name: string): void {
    delete this.given[name.toLowerCase()];
  }

  forEach(work: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) work(value, name, this as unknown as Headers);
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const name of Object.keys(this.given)) yield [name, this.get(name) ?? ''];
  }
}

const USUAL_HOST = /^[a-z0-9.-]+:\d{4,5}$/;
/** Without what a URL would encode, decode or take out, such as the dots of `/../`. */
const USUAL_TARGET = /^\/(?!\/)[\w~-]*(?:[/?&=,+%][\w~-]+)*$/;

function urlOf(target: string, host: string, scheme: string): string {
  if (USUAL_HOST.test(host) && USUAL_TARGET.test(target)) return `${scheme}://${host}${target}`;
  try {
    // A backslash would be taken for a slash.
    if (target.split('?', 1)[0]?.includes('\\')) throw new TypeError('a backslash in the path');
    if (/^https?:\/\//.test(target)) return new URL(target).href;
    const { hostname } = new URL(`${scheme}://${host}`);
    if (!target.startsWith('/') || hostname !== host.replace(/:\d*$/, '').toLowerCase()) {
      throw new TypeError('the host or the path is none');
    }
    return new URL(`${scheme}://${host}${target}`).href;
  } catch (cause) {
    throw new PartnerError('VALIDATION_FAILED', { message: 'the request cannot be understood', cause });
  }
}
