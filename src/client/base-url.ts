import { PartnerError } from '../contract/errors.ts';
import { isLoopback } from '../contract/uri.ts';

/** Removes trailing slashes. Throws USAGE, and INSECURE_BASE_URL for plain http to another machine. */
export function assertSafeBaseUrl(baseUrl: string, { allowInsecure }: { allowInsecure: boolean }): string {
  const url = webAddress(baseUrl);
  const excess = excessPart(url);
  if (excess !== undefined) {
    throw new PartnerError('USAGE', {
      message: `the base URL must not contain ${excess}`,
      hint: `use only the API root with its version: ${url.origin}${url.pathname}`,
    });
  }
  assertSafeUrl(url, { allowInsecure });
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export function assertSafeUrl(url: URL, { allowInsecure }: { allowInsecure: boolean }): void {
  if (url.protocol === 'https:' || allowInsecure || isLoopback(url.hostname)) return;
  throw new PartnerError('INSECURE_BASE_URL', {
    message: `refusing to send the key over plain HTTP to another machine, ${url.host}`,
  });
}

function webAddress(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new PartnerError('USAGE', {
    message: `the base URL must start with https:// or http://, not ${JSON.stringify(baseUrl)}`,
    hint: 'use the complete URL with its version, such as https://api.example.com/v1',
  });
}

function excessPart(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return 'a user name or password';
  if (url.search !== '' || url.href.includes('?')) return 'a query';
  if (url.hash !== '' || url.href.endsWith('#')) return 'a fragment';
  return undefined;
}

const SEE_OTHER = 303;
/** Statuses of redirects that keep the method. Other redirects change it to GET. */
const KEEP_METHOD: readonly number[] = [307, 308];
export const REDIRECTS: readonly number[] = [301, 302, SEE_OTHER, ...KEEP_METHOD];

export const MAX_REDIRECTS = 5;

/** Throws ANSWER_UNREADABLE for another origin, which must not get the key, or if a change would become a GET. */
export function redirectTarget(method: string, from: URL, response: Response): URL | undefined {
  const { status } = response;
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(status) || location === null || !URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  const createRedirectError = (what: string, mayHaveCreated = status === SEE_OTHER): PartnerError =>
    new PartnerError('ANSWER_UNREADABLE', {
      status,
      mayHaveCreated,
      message: `${from.origin} ${what}`,
      hint: 'if the API moved there and you trust it, pass its new URL as --base-url',
    });
  if (target.origin !== from.origin) {
    const where = target.origin === 'null' ? target.protocol : target.origin;
    throw createRedirectError(`redirects to another origin, ${where}. The key was not sent there`);
  }
  if (target.username !== '' || target.password !== '') {
    throw createRedirectError(
      "redirects to a URL with a user name or password. Such redirects aren't followed",
    );
  }
  if (method === 'POST' && status === SEE_OTHER) return undefined;
  if (method !== 'GET' && !KEEP_METHOD.includes(status)) {
    throw createRedirectError(
      `redirects a ${method} to ${target.pathname} with status ${status}, which would turn it into a GET`,
      true,
    );
  }
  return target;
}
