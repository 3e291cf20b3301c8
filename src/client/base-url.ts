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
