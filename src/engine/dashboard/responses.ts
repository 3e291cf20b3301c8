import type { Html, Reply } from './page.ts';
import securityHeaders from './response-headers.json' with { type: 'json' };

/** With `no-referrer`, browsers would send the dashboard's own forms with `Origin: null`, like foreign ones. */
export function addSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders)) {
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

export function downloadResponse({
  name,
  type,
  content,
}: Extract<Reply, { readonly download: unknown }>['download']): Response {
  const ascii = name.replace(/[^\x20-\x7e]|["%\\]/g, '_');
  return new Response(content, {
    headers: {
      'Content-Type': type,
      // RFC 6266 recommends an ASCII name for old clients, and the full name in RFC 5987 encoding.
      'Content-Disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncoded(name)}`,
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  });
}

/** RFC 5987 requires encoding `'()*`, but `encodeURIComponent` doesn't encode these characters. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
