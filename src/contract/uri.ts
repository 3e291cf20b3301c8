const PCT = '%[0-9A-Fa-f]{2}';
const UNRESERVED_OR_SUB_DELIM = "A-Za-z0-9._~!$&'()*+,;=\\-";
const some = (characters: string) => `(?:[${UNRESERVED_OR_SUB_DELIM}${characters}]|${PCT})*`;

const HOST = `(?:\\[(?:[0-9A-Fa-f:.]+|[Vv][0-9A-Fa-f]+\\.[${UNRESERVED_OR_SUB_DELIM}:]+)\\]|${some('')})`;
const AUTHORITY = `(?:${some(':')}@)?${HOST}(?::[0-9]*)?(?=[/?#]|$)`;
/** Requires a host for http and https (RFC 3986, 3.2.2). */
const WITH_HOST = '(?![Hh][Tt][Tt][Pp][Ss]?:(?!//[^/?#:]))';

/** A URI (RFC 3986) without surrounding space. Has no flags, because JSON Schema doesn't support them. */
export const URI = new RegExp(
  `^${WITH_HOST}[A-Za-z][A-Za-z0-9+.-]*:(?://${AUTHORITY}|(?!//))${some(':@/')}(?:\\?${some(':@/?')})?(?:#${some(':@/?')})?$`,
);

const ESCAPED_CHARACTERS_MAX = 500;

const WHOLE_ADDRESS = 'use a complete URL, such as https://ats.example/jobs/1';

export function uriHint(text: string): string {
  if (text.length > ESCAPED_CHARACTERS_MAX) return WHOLE_ADDRESS;
  const escaped = text
    .trim()
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[^!#$%&'()*+,./:;=?@[\]_~A-Za-z0-9\p{Surrogate}-]+/gu, encodeURIComponent);
  return URI.test(escaped) ? `use ${escaped}` : WHOLE_ADDRESS;
}

/** True for https: and http: URIs, which are safe to open in a browser. */
export function isWebLink(text: string): boolean {
  return /^https?:/i.test(text) && URI.test(text);
}

/** True for a host that can only be this machine, so that requests don't leave it. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return /^127(?:\.\d{1,3}){3}$/.test(host) || host === '[::1]' || /^(?:.+\.)?localhost$/.test(host);
}
