import { PartnerError } from '../contract/errors.ts';
import { isLoopback } from '../contract/uri.ts';

/** The base URL without a slash at its end. Throws USAGE, and INSECURE_BASE_URL for plain http to another machine. */
export function assertSafeBaseUrl(baseUrl: string, { allowInsecure }: { allowInsecure: boolean }): string {
  const url = webAddress(baseUrl);
  const excess = excessPart(url);
  if (excess !== undefined) {
    throw new PartnerError('USAGE', {
      message: `the base URL must not have ${excess}`,
      hint: `give the API's root alone, version included: ${url.origin}${url.pathname}`,
    });
  }
  assertSafeUrl(url, { allowInsecure });
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export function assertSafeUrl(url: URL, { allowInsecure }: { allowInsecure: boolean }): void {
  if (url.protocol === 'https:' || allowInsecure || isLoopback(url.hostname)) return;
  throw new PartnerError('INSECURE_BASE_URL', {
    message: `the key would go over plain http to another machine, ${url.host}`,
  });
}

function webAddress(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new PartnerError('USAGE', {
    message: `the base URL is no web address: ${JSON.stringify(baseUrl)}`,
    hint: 'write it whole, version included: https://api.example.com/v1',
  });
}

function excessPart(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return 'a user name or password in it';
  if (url.search !== '' || url.href.includes('?')) return 'a query';
  if (url.hash !== '' || url.href.endsWith('#')) return 'a fragment';
  return undefined;
}

const SEE_OTHER = 303;
/** The others turn the request into a GET. */
const KEEP_METHOD: readonly number[] = [307, 308];
export const REDIRECTS: readonly number[] = [301, 302, SEE_OTHER, ...KEEP_METHOD];

/**
 * Where an answer sends a request on to; undefined where it is no redirect, or a 303 that names the result of a POST.
 * Throws ANSWER_UNREADABLE for another origin, which must never see the key, and where following would turn a change
 * into a read.
 */
export function redirectTarget(method: string, from: URL, response: Response): URL | undefined {
  const { status } = response;
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(status) || location === null || !URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  const refused = (what: string, mayHaveCreated = status === SEE_OTHER): PartnerError =>
    new PartnerError('ANSWER_UNREADABLE', {
      status,
      mayHaveCreated,
      message: `${from.origin} ${what}`,
      hint: 'if the API has moved there and you trust it, give its new address as --base-url',
    });
  if (target.origin !== from.origin) {
    // `javascript:` and the like have no origin.
    const where = target.origin === 'null' ? target.protocol : target.origin;
    throw refused(`redirects to another origin, ${where}; the key is not sent there`);
  }
  if (target.username !== '' || target.password !== '') {
    throw refused('redirects with a user name or a password, which are sent nowhere');
  }
  if (method === 'POST' && status === SEE_OTHER) return undefined;
  if (method !== 'GET' && !KEEP_METHOD.includes(status)) {
    throw refused(
      `redirects a ${method} to ${target.pathname} in a way (${status}) that would drop it`,
      true,
    );
  }
  return target;
}
