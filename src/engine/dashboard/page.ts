import type { HtmlEscapedString } from 'hono/utils/html';
import type { EngineParts } from '../parts.ts';
import securityHeaders from './response-headers.json' with { type: 'json' };

export const ROOT = '/dashboard';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PageContext {
  readonly company: { readonly id: string; readonly name: string };
  /** Token that every form sends as `csrf`. It's verified before a handler runs. */
  readonly csrf: string;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly form: URLSearchParams;
  readonly now: number;
  /** False for HEAD requests and prefetches. */
  readonly isViewed: boolean;
}

export type Reply =
  | { readonly page: { readonly title: string; readonly body: Html; readonly status?: number } }
  | { readonly redirect: string }
  /** Browsers save a download and never display it, because its content comes from candidates. */
  | { readonly download: Download };

type Download = Readonly<{ name: string; type: string; content: BodyInit }>;

type Handler = (context: PageContext, parts: EngineParts) => Promise<Reply>;

export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handle: Handler;
}

export function get(path: string, handle: Handler): DashboardRoute {
  return { method: 'GET', path, handle };
}

export function post(path: string, handle: Handler): DashboardRoute {
  return { method: 'POST', path, handle };
}

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

export function downloadResponse({ name, type, content }: Download): Response {
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
