import { html } from 'hono/html';
import { errorRow, PartnerError } from '../../contract/errors.ts';
import { answeredFault } from '../http/mount.ts';
import { layout } from './layout.ts';
import { type Html, type PageContext, ROOT } from './page.ts';
import { type Refusal, Refused } from './refusals.ts';
import { htmlResponse } from './responses.ts';

const FAULT: Refusal = {
  status: 500,
  title: 'Something went wrong in the engine',
  message: 'This is a fault of the engine and not yours. Its log says more.',
  next: 'Try again. If it happens again, tell the person who runs the engine.',
};

const NO_DATABASE: Refusal = {
  status: 503,
  title: 'The engine cannot use its database now',
  message: 'Nothing was changed. The log of the engine names the cause, a full disk for example.',
  next: 'Try again later. If it happens again, tell the person who runs the engine.',
};

const TITLES: Readonly<Record<number, string>> = {
  404: 'Not found',
  409: 'This is not possible now',
  413: 'The form is too large',
  415: 'This is not a form of the dashboard',
  422: 'Some of the input is invalid',
};

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refused) return error.refusal;
  if (!(error instanceof PartnerError)) return undefined;
  const status = error.code === 'USAGE' ? 400 : errorRow(error.code).status;
  if (status === undefined || status >= 500) return undefined;
  const { message, hint, fields } = error;
  const title = TITLES[status] ?? 'Refused';
  return { status, title, message: sentence(message), next: hint && sentence(hint), fields };
}

function faultOf(error: unknown): Refusal {
  const { retryAfterSeconds } = answeredFault(error);
  if (retryAfterSeconds === undefined) return FAULT;
  return { ...NO_DATABASE, headers: { 'Retry-After': String(retryAfterSeconds) } };
}

/** A fault of the engine is reported, and its details are not shown. */
export async function problemPage(
  error: unknown,
  reportBug: (error: unknown) => void,
  context?: PageContext,
): Promise<Response> {
  const known = refusalOf(error);
  if (known === undefined) reportBug(error);
  const { status, title, message, next, fields = {}, headers } = known ?? faultOf(error);
  const problems = Object.entries(fields).filter(([, problem]) => problem !== message);
  const body = html`<h1>${title}</h1>
<p>${withCode(message)}</p>
${problems.length > 0 ? html`<ul>${problems.map(([field, problem]) => html`<li><strong>${field}</strong>: ${problem}</li>`)}</ul>` : ''}
${next ? html`<p>${withCode(next)}</p>` : ''}
${context === undefined ? '' : html`<p><a class="button" href="${ROOT}">Go to the jobs</a></p>`}`;
  const page = await layout({ title, body, context });
  return htmlResponse(page, status, headers);
}

/** Messages of errors begin in lower case and have no full stop, for the command line. */
function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

function withCode(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
