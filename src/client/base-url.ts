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
  return url.href.replace(/\/+$/, '');
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

/** The ports of other services, which fetch never calls ("bad port" in the Fetch standard). */
const BLOCKED_PORTS: readonly number[] = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Throws UNREACHABLE for a port that fetch refuses: its own error looks like one after the request was sent. */
export function assertCallablePort({ host, port }: URL): void {
  if (!BLOCKED_PORTS.includes(Number(port))) return;
  throw new PartnerError('UNREACHABLE', {
    message: `cannot reach ${host}: port ${port} belongs to another kind of service, and is never called`,
    hint: 'serve the API on another port, and give that in --base-url',
  });
}

const SEE_OTHER = 303;
/** The others turn the request into a GET. */
const KEEP_METHOD: readonly number[] = [307, 308];
const REDIRECTS: readonly number[] = [301, 302, SEE_OTHER, ...KEEP_METHOD];

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
