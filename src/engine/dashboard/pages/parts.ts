import { html } from 'hono/html';
import type { Html, Visit } from '../visit.ts';

/** Where the dashboard stands. */
export const ROOT = '/dashboard';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A time (ISO 8601, UTC) as people write one, which says that it is UTC: `2 Mar 2026, 09:00 UTC`. */
export function timeOf(time: string): Html {
  return html`<time datetime="${time}">${dayText(time)}, ${time.slice(11, 16)}&nbsp;UTC</time>`;
}

/** The day alone: `2 Mar 2026`. */
export function dayOf(time: string): Html {
  return html`<time datetime="${time}">${dayText(time)}</time>`;
}

function dayText(time: string): string {
  const [year, month, day] = time.slice(0, 10).split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** Text of other people's: its direction and what is hidden in it turn nothing around it. */
export function theirs(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** What is read aloud and not seen. */
export function spoken(text: string): Html {
  return html`<span class="spoken">${text}</span>`;
}

/** The kinds of what is said: each has a sign of its own, so that none is told by its colour alone. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

const SIGNS: Readonly<Record<Tone, Html>> = {
  good: html`<path d="M4.5 8.3l2.3 2.3 4.7-5" />`,
  warn: html`<path d="M8 4.4v4.4M8 11.4v.2" />`,
  bad: html`<path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" />`,
  info: html`<path d="M8 7.4v4.2M8 4.5v.2" />`,
  quiet: html`<path d="M5 8h6" />`,
};

/** A round sign, for the eye only: the text beside it says the same. */
export function sign(tone: Tone): Html {
  return html`<svg class="sign ${tone}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="7.25" />${SIGNS[tone]}</svg>`;
}

/** One or two words about the heading beside it. */
export function badge(tone: Tone | 'new', text: string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** What has come of a form, or what has to be known first. */
export function notice(tone: Tone, body: Html | string, isUrgent = false): Html {
  return html`<div class="notice ${tone}" role="${isUrgent ? 'alert' : 'status'}">${sign(tone)}<div>${body}</div></div>`;
}

/** A form of one button, or of more; it carries the session's token. */
export function postForm(visit: Visit, path: string, content: Html, className = ''): Html {
  return html`<form method="post" action="${ROOT}${path}" class="${className}">
<input type="hidden" name="csrf" value="${visit.csrf}">
${content}
</form>`;
}

/** A choice between views of one list: addresses, not buttons. */
export interface Tab {
  readonly text: string;
  readonly count?: number;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** The views of a list; `label` says of which. */
export function tabs(label: string, entries: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}"><ul>${entries.map(
    ({ text, count, href, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="true"` : ''}>${text}${
        count === undefined ? '' : html` <span class="count">${count}</span>`
      }</a></li>`,
  )}</ul></nav>`;
}

/** Where the list goes on; nothing where it stands whole on this page. */
export function pager(
  label: string,
  links: { readonly newest?: string | undefined; readonly older?: string | undefined },
): Html | '' {
  if (links.newest === undefined && links.older === undefined) return '';
  return html`<nav class="pager" aria-label="${label}">
${links.newest === undefined ? '' : html`<a class="button" href="${links.newest}">Back to the newest</a>`}
${links.older === undefined ? '' : html`<a class="button" rel="next" href="${links.older}">Older</a>`}
</nav>`;
}

/** An address under the dashboard with what is given of its query. */
export function address(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${path}${text === '' ? '' : `?${text}`}`;
}

/** A list of names and what they are; those without a value are left out. */
export function facts(
  entries: readonly (readonly [name: string, value: Html | string | undefined])[],
  kind: 'wide' | 'narrow' = 'wide',
): Html {
  return html`<dl class="facts ${kind}">${entries
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The first letter as a sentence begins. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
