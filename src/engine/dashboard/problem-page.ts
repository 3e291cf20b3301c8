import { html } from 'hono/html';
import { errorRow, PartnerError } from '../../contract/errors.ts';
import { answeredFault } from '../http/mount.ts';
import { layout } from './layout.ts';
import { type Html, type PageContext, ROOT } from './page.ts';
import { htmlResponse } from './responses.ts';

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly next?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that is no error of the contract's table. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

const FRESH_LINK = 'Run `partner dashboard` on the machine of the engine: it prints a fresh link.';
const GO_BACK = 'Go back, load the page again, and send the form from there.';

export const REFUSALS = {
  signedOut: {
    status: 401,
    title: 'You are not signed in',
    message: 'This page is for the people of one company. A session lasts 12 hours.',
    next: FRESH_LINK,
  },
  deadLink: {
    status: 403,
    title: 'This link does not sign in',
    message:
      'A sign-in link works once, within 10 minutes. This one was used, has expired, or is not a link of this engine.',
    next: `${FRESH_LINK} If you are signed in already, go to /dashboard.`,
  },
  fetchedAhead: {
    status: 503,
    title: 'Open this link to sign in',
    message: 'A sign-in link works once, so a browser that loads pages ahead does not use it up.',
    next: 'Open the link.',
  },
  foreignHost: {
    status: 421,
    title: 'This is not the address of the dashboard',
    message: 'The engine listens on this machine only, and answers only to the names of this machine.',
    next: 'Open it as 127.0.0.1 or localhost: `partner dashboard` prints the whole address.',
  },
  foreignForm: {
    status: 403,
    title: 'The form came from another site',
    message: 'Nothing was changed. Forms are taken from the pages of this dashboard only.',
    next: GO_BACK,
  },
  forgedForm: {
    status: 403,
    title: 'The form does not belong to this session',
    message: 'Nothing was changed. The form was made for another session or without one.',
    next: GO_BACK,
  },
  noSuchPage: {
    status: 404,
    title: 'Page not found',
    message: 'The dashboard has nothing at this address.',
    next: 'Check the address, or go to the jobs of the company: /dashboard.',
  },
} as const satisfies Record<string, Refusal>;

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
