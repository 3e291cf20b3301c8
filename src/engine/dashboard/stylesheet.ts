import { createHash } from 'node:crypto';
import { STYLE } from './style.ts';

const VERSION = createHash('sha256').update(STYLE).digest('hex').slice(0, 16);
const ETAG = `"${VERSION}"`;
const YEAR_SECONDS = 31_536_000;

/** Where a page finds its style: another one has another address, so that it can be kept for good. */
export const STYLE_ADDRESS = `/dashboard/style.css?v=${VERSION}`;

/** The style, for `GET /dashboard/style.css`; 304 for whoever has it. */
export function stylesheet(request: Request): Response {
  const isVersioned = new URL(request.url).searchParams.get('v') === VERSION;
  const headers = {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': isVersioned ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    ETag: ETAG,
  };
  const isKept = request.headers.get('if-none-match') === ETAG;
  return isKept ? new Response(null, { status: 304, headers }) : new Response(STYLE, { headers });
}
