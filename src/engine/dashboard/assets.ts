import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// In the source beside this file, and beside the bundle, where the build puts it.
const STYLE = readFileSync(new URL('./style.css', import.meta.url));
const STYLE_VERSION = createHash('sha256').update(STYLE).digest('hex').slice(0, 16);
const STYLE_ETAG = `"${STYLE_VERSION}"`;
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

/** Another style has another address, so that a browser can keep it for good. */
export const STYLE_ADDRESS = `/dashboard/style.css?v=${STYLE_VERSION}`;

export function stylesheet(request: Request): Response {
  const isVersioned = new URL(request.url).searchParams.get('v') === STYLE_VERSION;
  const headers = {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': isVersioned ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    ETag: STYLE_ETAG,
  };
  const isKept = request.headers.get('if-none-match') === STYLE_ETAG;
  return isKept ? new Response(null, { status: 304, headers }) : new Response(STYLE, { headers });
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4fc4"/><path d="M11 24V8h6.5a5 5 0 0 1 0 10H11" fill="none" stroke="#fff" stroke-width="3.2" stroke-linejoin="round"/></svg>`;

export function icon(): Response {
  const headers = {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': `public, max-age=${DAY_SECONDS}`,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  };
  return new Response(ICON, { headers });
}
