import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import * as tls from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { PartnerError } from '../contract/errors.ts';
import { openOnce } from '../contract/promises.ts';
import { codeOf } from '../contract/system-errors.ts';
import { isLoopback } from '../contract/uri.ts';
import { wholeText } from '../contract/whole-text.ts';
import { assertSafeUrl, redirectTarget } from './base-url.ts';

const MAX_REDIRECTS = 5;

/** A pool wide enough for a batch; the deadline of the call is the only clock, so undici has none. */
const POOL = { connections: 64, headersTimeout: 0, bodyTimeout: 0 } as const;

type Env = Readonly<Record<string, string | undefined>>;

export interface NetworkOptions {
  readonly allowInsecure: boolean;
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read, in either case. */
  readonly env?: Env;
  readonly proxy?: string | undefined;
  /** PEM certificates that are trusted beside those of Node, for the server and for a proxy. */
  readonly caFile?: string | undefined;
  /** Resolves the names of hosts that are connected to directly. */
  readonly lookup?: LookupFunction | undefined;
}

/** `send` throws INSECURE_BASE_URL before anything is sent, and what `redirectTarget` throws. */
export function openNetwork({ allowInsecure, env = process.env, ...way }: NetworkOptions) {
  const routes = openOnce(() => openRoutes(env, way));
  const sendOnce = async (
    url: URL,
    request: Pick<Request, 'method' | 'headers'>,
    signal: AbortSignal,
    body?: string,
  ): Promise<Response> => {
    const { direct, outside } = await routes.open();
    const dispatcher = isLoopback(url.hostname) ? direct : outside;
    return fetchOnce(url, request, body, { signal, dispatcher });
  };
  return {
    /** Sends a request as it is and follows no redirect; never give it a key. */
    sendOnce,
    async send(request: Request, signal: AbortSignal): Promise<Response> {
      await routes.open();
      // undici frees a connection one turn after its answer: without this turn the next call opens another.
      await new Promise(setImmediate);
      const body = (wholeText(request) ?? (await request.text())) || undefined;
      let url = new URL(request.url);
      for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
        assertSafeUrl(url, { allowInsecure });
        const response = await sendOnce(url, request, signal, body);
        const target = redirectTarget(request.method, url, response);
        if (target === undefined) return response;
        await response.body?.cancel();
        url = target;
      }
      throw new PartnerError('ANSWER_UNREADABLE', {
        message: `${url.origin} redirects more than ${MAX_REDIRECTS} times`,
      });
    },
    async close(): Promise<void> {
      await (await routes.opened()?.catch(() => undefined))?.close();
    },
  };
}

/** The global fetch, not undici's own: the dispatcher is an option that DOM's types do not know. */
async function fetchOnce(
  url: URL,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  body: string | undefined,
  way: { readonly signal: AbortSignal; readonly dispatcher: Dispatcher },
): Promise<Response> {
  const init = { method, headers, redirect: 'manual' as const, ...way };
  try {
    return await fetch(url, body === undefined ? init : { ...init, body });
  } catch (error) {
    // What `boundedEncodings` throws comes back as the cause of a fetch that failed.
    throw error instanceof TypeError && error.cause instanceof PartnerError ? error.cause : error;
  }
}

/** Fetch takes so many itself. Past them it fails in the middle of an answer, and brings the process down with it. */
const MAX_ENCODINGS = 5;

function boundedEncodings(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (options, handler) => {
    const start = handler.onResponseStart?.bind(handler);
    handler.onResponseStart = (controller, status, headers, message) => {
      const encodings = String(headers['content-encoding'] ?? '').split(',').length;
      if (encodings > MAX_ENCODINGS) {
        throw new PartnerError('ANSWER_UNREADABLE', {
          status,
          mayHaveCreated: status < 400 || status >= 500,
          message: `${options.origin} answered with ${encodings} content encodings, of which ${MAX_ENCODINGS} at most are decoded`,
        });
      }
      start?.(controller, status, headers, message);
    };
    return dispatch(options, handler);
  };
}

/** Of a broken TLS record only the connector can tell whether a request was sent before it. */
function markingNeverOpened(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error === null) callback(null, socket);
      else callback(Object.assign(error, { neverOpened: true }), null);
    });
}

async function openRoutes(env: Env, { proxy, caFile, lookup }: Omit<NetworkOptions, 'allowInsecure'>) {
  const { Agent, EnvHttpProxyAgent, buildConnector } = await import('undici');
  const trust =
    caFile === undefined
      ? {}
      : { secureContext: tls.createSecureContext({ ca: [...trustedByNode(), ...certificatesIn(caFile)] }) };
  const direct = new Agent({ ...POOL, connect: markingNeverOpened(buildConnector({ ...trust, lookup })) });
  const httpProxy = proxy ?? proxyAddress(env, 'HTTP_PROXY');
  const httpsProxy = proxy ?? proxyAddress(env, 'HTTPS_PROXY');
  const isDirect = httpProxy === '' && httpsProxy === '';
  // Given also where empty, or undici would read the process's own environment. Without `proxyTunnel: false`
  // it asks for a tunnel to port 80, which most proxies refuse.
  const outside = isDirect
    ? direct
    : new EnvHttpProxyAgent({
        ...POOL,
        httpProxy,
        httpsProxy,
        noProxy: variable(env, 'NO_PROXY'),
        proxyTunnel: false,
        // Only for the hosts of NO_PROXY: a proxy may be anywhere.
        connect: { ...trust, lookup },
        ...(caFile === undefined ? {} : { requestTls: trust, proxyTls: trust }),
      });
  return {
    // For this machine: a proxy would carry the key of a plain http call over the network.
    direct: direct.compose(boundedEncodings),
    outside: outside.compose(boundedEncodings),
    close: () => Promise.all([...new Set([direct, outside])].map((each) => each.destroy())),
  };
}

function proxyAddress(env: Env, name: string): string {
  const text = variable(env, name).trim();
  if (text === '') return '';
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new PartnerError('USAGE', {
    message: `${name} names no http proxy: it must look like http://proxy.example.com:3128`,
    hint: `correct or unset ${name}; NO_PROXY lists the hosts that need none`,
  });
}

function variable(env: Env, name: string): string {
  return env[name.toLowerCase()] || env[name] || '';
}

function certificatesIn(caFile: string): string[] {
  const unusable = (why: string, cause?: unknown): PartnerError =>
    new PartnerError('USAGE', {
      message: `the CA file ${caFile} cannot be used: ${why}`,
      hint: 'name a file of PEM certificates in PARTNER_CA_FILE, or in the profile with `partner auth login NAME --ca-file FILE`',
      cause,
    });
  let text: string;
  try {
    text = readFileSync(caFile, 'utf8');
  } catch (cause) {
    throw unusable(`it cannot be read (${codeOf(cause)})`, cause);
  }
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (found === null) throw unusable('it holds no PEM certificate (`-----BEGIN CERTIFICATE-----`)');
  try {
    // Node itself skips a damaged one silently.
    for (const certificate of found) new X509Certificate(certificate);
  } catch (cause) {
    throw unusable('it holds a damaged certificate', cause);
  }
  return found;
}

/** A `ca` of our own replaces Node's, and with it NODE_EXTRA_CA_CERTS, which older versions of Node do not list. */
function trustedByNode(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra ? [...tls.rootCertificates, readFileSync(extra, 'utf8')] : tls.rootCertificates;
}
