import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import * as tls from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { PartnerError } from '../contract/errors.ts';
import type { TextRequest } from '../contract/http-messages.ts';
import { openOnce } from '../contract/promises.ts';
import { getErrorCode, translateErrors } from '../contract/system-errors.ts';
import { isLoopback } from '../contract/uri.ts';
import { assertSafeUrl, MAX_REDIRECTS, redirectTarget } from './base-url.ts';

/** Only the call's deadline limits time, so undici's timeouts are off. */
const POOL = { connections: 64, headersTimeout: 0, bodyTimeout: 0 } as const;

type Env = Readonly<Record<string, string | undefined>>;

export interface NetworkOptions {
  readonly allowInsecure: boolean;
  readonly env?: Env;
  readonly proxy?: string | undefined;
  readonly caFile?: string | undefined;
  readonly lookup?: LookupFunction | undefined;
}

/** `send` throws the errors of `redirectTarget`. It throws INSECURE_BASE_URL before sending anything. */
export function openNetwork({ allowInsecure, env = process.env, ...way }: NetworkOptions) {
  const routes = openOnce(() => openRoutes(env, way));
  const sendOnce = async (
    url: URL,
    { method, headers, body }: Omit<TextRequest, 'url'>,
    signal: AbortSignal,
  ): Promise<Response> => {
    const { direct, outside } = await routes.open();
    const dispatcher = isLoopback(url.hostname) ? direct : outside;
    // The types of fetch don't include undici's `dispatcher` option.
    const init = {
      method,
      headers: [...headers.entries()],
      body,
      redirect: 'manual' as const,
      signal,
      dispatcher,
    };
    return fetch(url, init).catch((error: unknown) => {
      // Fetch wraps errors of `limitEncodings` in a TypeError.
      throw error instanceof TypeError && error.cause instanceof PartnerError ? error.cause : error;
    });
  };
  return {
    /** Sends a request without following redirects. Must not be used with a key. */
    sendOnce,
    async send(request: TextRequest, signal: AbortSignal): Promise<Response> {
      await routes.open();
      // undici releases a connection one turn after the response. Without this wait, the next call opens another.
      await new Promise(setImmediate);
      let url = new URL(request.url);
      for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
        assertSafeUrl(url, { allowInsecure });
        const response = await sendOnce(url, request, signal);
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

/** Same limit as fetch. Beyond it, fetch fails during the response and crashes the process. */
const MAX_ENCODINGS = 5;

function limitEncodings(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (options, handler) => {
    const start = handler.onResponseStart?.bind(handler);
    handler.onResponseStart = (controller, status, headers, message) => {
      const encodings = String(headers['content-encoding'] ?? '').split(',').length;
      if (encodings > MAX_ENCODINGS) {
        throw new PartnerError('ANSWER_UNREADABLE', {
          status,
          mayHaveCreated: status < 400 || status >= 500,
          message: `${options.origin} sent a response with ${encodings} content encodings (at most ${MAX_ENCODINGS} are supported)`,
        });
      }
      start?.(controller, status, headers, message);
    };
    return dispatch(options, handler);
  };
}

/** Marks errors before a connection is open. A TLS error code doesn't show whether a request was sent. */
function markNeverOpened(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error === null) callback(null, socket);
      else callback(Object.assign(error, { neverOpened: true }), null);
    });
}

async function openRoutes(env: Env, { proxy, caFile, lookup }: Omit<NetworkOptions, 'allowInsecure'>) {
  const { Agent, EnvHttpProxyAgent, buildConnector } = await import('undici');
  const ca = caFile === undefined ? [] : [...listNodeCertificates(), ...readCertificates(caFile)];
  const trust = caFile === undefined ? {} : { secureContext: tls.createSecureContext({ ca }) };
  const direct = new Agent({ ...POOL, connect: markNeverOpened(buildConnector({ ...trust, lookup })) });
  const httpProxy = proxy ?? proxyAddress(env, 'HTTP_PROXY');
  const httpsProxy = proxy ?? proxyAddress(env, 'HTTPS_PROXY');
  const isDirect = httpProxy === '' && httpsProxy === '';
  // Sets all proxy options, because undici would otherwise read the environment. Without `proxyTunnel: false`, undici
  // requests a tunnel to port 80, which most proxies refuse.
  const outside = isDirect
    ? direct
    : new EnvHttpProxyAgent({
        ...POOL,
        httpProxy,
        httpsProxy,
        noProxy: variable(env, 'NO_PROXY'),
        proxyTunnel: false,
        connect: { ...trust, lookup },
        ...(caFile === undefined ? {} : { requestTls: trust, proxyTls: trust }),
      });
  return {
    // Used for this machine, because a plain http request through a proxy would expose the key.
    direct: direct.compose(limitEncodings),
    outside: outside.compose(limitEncodings),
    close: () => Promise.all([...new Set([direct, outside])].map((each) => each.destroy())),
  };
}

function proxyAddress(env: Env, name: string): string {
  const text = variable(env, name).trim();
  if (text === '') return '';
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new PartnerError('USAGE', {
    message: `${name} must be the URL of an HTTP proxy, such as http://proxy.example.com:3128`,
    hint: `fix or unset ${name}. Add hosts that need no proxy to NO_PROXY`,
  });
}

function variable(env: Env, name: string): string {
  return env[name.toLowerCase()] || env[name] || '';
}

function readCertificates(caFile: string): string[] {
  const unusable = (why: string, cause?: unknown): PartnerError =>
    new PartnerError('USAGE', {
      message: `can't use the CA file ${caFile}: ${why}`,
      hint: 'set PARTNER_CA_FILE to a file of PEM certificates, or store one in the profile with `partner auth login NAME --ca-file FILE`',
      cause,
    });
  const text = translateErrors(
    () => readFileSync(caFile, 'utf8'),
    (cause) => unusable(`it can't be read (${getErrorCode(cause)})`, cause),
  );
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (found === null) throw unusable('it has no PEM certificate (`-----BEGIN CERTIFICATE-----`)');
  // Node ignores damaged certificates silently.
  const parseAll = () => found.map((certificate) => new X509Certificate(certificate));
  translateErrors(parseAll, (cause) => unusable('a certificate in it is damaged', cause));
  return found;
}

/** A custom `ca` replaces Node's certificates, so they are added. `rootCertificates` excludes NODE_EXTRA_CA_CERTS. */
function listNodeCertificates(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return extra ? [...tls.rootCertificates, readFileSync(extra, 'utf8')] : tls.rootCertificates;
}
