import { html } from 'hono/html';
import { errorRow, PartnerError } from '../../contract/errors.ts';
import { answeredFault } from '../http/mount.ts';
import { layout } from './layout.ts';
import { type Html, type PageContext, ROOT } from './page.ts';
import problems from './problems.json' with { type: 'json' };
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

export const REFUSALS = problems.refusals satisfies Record<string, Refusal>;

/** Headings for the errors in the contract's table. */
const TITLES: Readonly<Record<number, string>> = problems.titles;

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
  if (retryAfterSeconds === undefined) return problems.fault;
  return { ...problems.noDatabase, headers: { 'Retry-After': String(retryAfterSeconds) } };
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
