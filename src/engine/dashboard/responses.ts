import type { Html, Reply } from './page.ts';

/** On every answer that does not set its own. There are no scripts, so none are allowed. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // Under `no-referrer` a browser sends the forms of our own pages with `Origin: null`, as those of others.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), publickey-credentials-get=(), usb=()',
};

export function guarded(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

export function htmlResponse(
  page: Awaited<Html>,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(String(page), {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  });
}

/** A file to be saved: whatever is in it, a browser neither shows nor runs it on our address. */
export function downloadResponse({
  name,
  type,
  content,
}: Extract<Reply, { readonly download: unknown }>['download']): Response {
  const ascii = name.replace(/[^\x20-\x7e]|["%\\]/g, '_');
  return new Response(content, {
    headers: {
      'Content-Type': type,
      // RFC 6266: the name in ASCII for old programs, and whole as RFC 5987 has it.
      'Content-Disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncoded(name)}`,
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  });
}

/** `encodeURIComponent` leaves these, and RFC 5987 does not allow them. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
