import type { HtmlEscapedString } from 'hono/utils/html';
import type { EngineParts } from '../parts.ts';

/** What `html` of hono gives: everything that was put into it is escaped, unless it is such a piece itself. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A request of somebody who is signed in, as a page sees it. */
export interface Visit {
  readonly company: { readonly id: string; readonly name: string };
  /** Every form carries it in its field `csrf`; it is checked before a page is asked. */
  readonly csrf: string;
  readonly url: URL;
  /** What stands in the path where the route has a name. */
  readonly params: Readonly<Record<string, string>>;
  /** The fields of a form that was sent; none for a page that is read. */
  readonly form: URLSearchParams;
  /** The engine's time, in epoch ms. */
  readonly now: number;
  /** False where a program only asks whether the page is there, or a browser prepares for a click. */
  readonly isLookedAt: boolean;
}

/** What a page answers. */
export type Reply =
  | { readonly page: { readonly title: string; readonly body: Html; readonly status?: number } }
  /** Where to look after a form has done its work: a path of the dashboard. */
  | { readonly redirect: string }
  /** To be saved, never shown: what candidates send is not ours. */
  | { readonly download: { readonly name: string; readonly type: string; readonly content: BodyInit } };

/** One address of the dashboard; the path is relative to `/dashboard`, as hono writes paths. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Throws PartnerErrors, which are shown as pages with their status. */
  readonly handle: (visit: Visit, parts: EngineParts) => Promise<Reply>;
}
