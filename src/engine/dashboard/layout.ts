import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { isoTime } from '../../contract/time.ts';
import { type Html, type PageContext, ROOT } from './page.ts';
import { renderTime } from './parts.ts';

const STYLE = readFileSync(new URL('./style.css', import.meta.url));
const STYLE_VERSION = createHash('sha256').update(STYLE).digest('hex').slice(0, 16);
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4fc4"/><path d="M11 24V8h6.5a5 5 0 0 1 0 10H11" fill="none" stroke="#fff" stroke-width="3.2" stroke-linejoin="round"/></svg>`;

const PLACES = [
  { path: ROOT, text: 'Jobs', also: `${ROOT}/jobs` },
  { path: `${ROOT}/billing`, text: 'Billing' },
  { path: `${ROOT}/terms`, text: 'Terms' },
  { path: `${ROOT}/keys`, text: 'Keys' },
] as const;

export function layout(page: { title: string; body: Html; context?: PageContext | undefined }): Html {
  const { title, body, context } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${context?.company.name ?? 'Partner dashboard'}</title>
<link rel="stylesheet" href="${ROOT}/style.css?v=${STYLE_VERSION}">
<link rel="icon" href="${ROOT}/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${context === undefined ? header(html`Partner dashboard`) : header(html`<bdi>${context.company.name}</bdi>`, context)}
<main id="main" tabindex="-1">${body}</main>
<footer><p>${context === undefined ? 'Partner dashboard' : html`Engine time ${renderTime(isoTime(context.now))}. All times are UTC.`}</p></footer>
</body>
</html>`;
}

function header(name: Html, context?: PageContext): Html {
  return html`<header><div class="bar-top">
<p class="company">${name}</p>
${
  context === undefined
    ? ''
    : html`<nav class="main" aria-label="Dashboard"><ul>${PLACES.map((place) => placeLink(place, context.url.pathname))}</ul></nav>
<form method="post" action="${ROOT}/sign-out" class="sign-out"><input type="hidden" name="csrf" value="${context.csrf}"><button>Sign out</button></form>`
}
</div></header>`;
}

function placeLink(place: (typeof PLACES)[number], pathname: string): Html {
  const path = pathname.replace(/\/$/, '');
  const within = 'also' in place ? place.also : place.path;
  const current = path === place.path ? 'page' : path.startsWith(`${within}/`) ? 'true' : undefined;
  return html`<li><a href="${place.path}"${current === undefined ? '' : html` aria-current="${current}"`}>${place.text}</a></li>`;
}

/** Browsers can cache a stylesheet with a version forever, because a changed one gets a new version. */
export function stylesheet(version: string | undefined): Response {
  const cacheControl = version === STYLE_VERSION ? 'public, max-age=31536000, immutable' : 'no-cache';
  return new Response(STYLE, {
    headers: { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': cacheControl },
  });
}

export function icon(): Response {
  const headers = {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': 'public, max-age=86400',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  };
  return new Response(ICON, { headers });
}
