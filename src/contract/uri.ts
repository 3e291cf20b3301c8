const PCT = '%[0-9A-Fa-f]{2}';
const UNRESERVED_OR_SUB_DELIM = "A-Za-z0-9._~!$&'()*+,;=\\-";
/** Any number of the given characters and of percent escapes. */
const some = (characters: string) => `(?:[${UNRESERVED_OR_SUB_DELIM}${characters}]|${PCT})*`;

const HOST = `(?:\\[(?:[0-9A-Fa-f:.]+|[Vv][0-9A-Fa-f]+\\.[${UNRESERVED_OR_SUB_DELIM}:]+)\\]|${some('')})`;
const AUTHORITY = `(?:${some(':')}@)?${HOST}(?::[0-9]*)?(?=[/?#]|$)`;
/** RFC 3986, 3.2.2: of http and https, a host is required. */
const WITH_HOST = '(?![Hh][Tt][Tt][Pp][Ss]?:(?!//[^/?#:]))';

/** A URI by RFC 3986: a scheme and what may follow it, nothing trimmed. Written without flags, as JSON Schema has none. */
export const URI = new RegExp(
  `^${WITH_HOST}[A-Za-z][A-Za-z0-9+.-]*:(?://${AUTHORITY}|(?!//))${some(':@/')}(?:\\?${some(':@/?')})?(?:#${some(':@/?')})?$`,
);

const ESCAPED_CHARACTERS_MAX = 500;

const WHOLE_ADDRESS = 'write it whole: https://ats.example/jobs/1';

export function uriHint(text: string): string {
  if (text.length > ESCAPED_CHARACTERS_MAX) return WHOLE_ADDRESS;
  const escaped = text
    .trim()
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[^!#$%&'()*+,./:;=?@[\]_~A-Za-z0-9\p{Surrogate}-]+/gu, encodeURIComponent);
  return URI.test(escaped) ? `write ${escaped}` : WHOLE_ADDRESS;
}

/** True of an address that a browser may be sent to: an https: or http: URI, never javascript:. */
export function isWebLink(text: string): boolean {
  return /^https?:/i.test(text) && URI.test(text);
}

/** True where a host can only be this machine: what is sent there passes no network. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return /^127(?:\.\d{1,3}){3}$/.test(host) || host === '[::1]' || /^(?:.+\.)?localhost$/.test(host);
}
