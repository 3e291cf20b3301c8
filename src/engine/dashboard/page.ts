import type { HtmlEscapedString } from 'hono/utils/html';
import type { EngineParts } from '../parts.ts';

export const ROOT = '/dashboard';

/** What `html` of hono gives: everything that was put into it is escaped, unless it is such a piece itself. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PageContext {
  readonly company: { readonly id: string; readonly name: string };
  /** Every form carries it in its field `csrf`; it is checked before a handler runs. */
  readonly csrf: string;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly form: URLSearchParams;
  readonly now: number;
  /** False for a HEAD, and for a browser that fetches ahead. */
  readonly isLookedAt: boolean;
}

export type Reply =
  | { readonly page: { readonly title: string; readonly body: Html; readonly status?: number } }
  | { readonly redirect: string }
  /** To be saved, never shown: what candidates send is not ours. */
  | { readonly download: { readonly name: string; readonly type: string; readonly content: BodyInit } };

/** Throws PartnerErrors, which are shown as pages with their status. */
type Handler = (context: PageContext, parts: EngineParts) => Promise<Reply>;

export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  /** Relative to `/dashboard`, as hono writes paths. */
  readonly path: string;
  readonly handle: Handler;
}

export function get(path: string, handle: Handler): DashboardRoute {
  return { method: 'GET', path, handle };
}

export function post(path: string, handle: Handler): DashboardRoute {
  return { method: 'POST', path, handle };
}
