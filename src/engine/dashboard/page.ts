import type { HtmlEscapedString } from 'hono/utils/html';
import type { EngineParts } from '../parts.ts';

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
  | { readonly download: { readonly name: string; readonly type: string; readonly content: BodyInit } };

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
