import { html } from 'hono/html';
import { STYLE_ADDRESS } from './stylesheet.ts';
import type { Html, Visit } from './visit.ts';

/** A whole page: of who is signed in, or without a visit one that anybody may see. */
export function layout({
  title,
  body,
  visit,
}: {
  title: string;
  body: Html;
  visit?: Visit | undefined;
}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Partner dashboard</title>
<link rel="stylesheet" href="${STYLE_ADDRESS}">
</head>
<body>
<main>${body}</main>
${visit && html`<form method="post" action="/dashboard/sign-out"><input type="hidden" name="csrf" value="${visit.csrf}"><button>Sign out</button></form>`}
</body>
</html>`;
}
