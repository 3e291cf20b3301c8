import { html } from 'hono/html';
import { errorRow, PartnerError } from '../../contract/errors.ts';
import { translateFault } from '../http/mount.ts';
import { layout } from './layout.ts';
import { type Html, htmlResponse, type PageContext, ROOT } from './page.ts';
import { capital } from './parts.ts';
import problems from './problems.json' with { type: 'json' };

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly next?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

export const REFUSALS = problems.refusals satisfies Record<string, Refusal>;

const TITLES: Readonly<Record<number, string>> = problems.titles;

function findRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refused) return error.refusal;
  if (!(error instanceof PartnerError)) return undefined;
  const status = error.code === 'USAGE' ? 400 : errorRow(error.code).status;
  if (status === undefined || status >= 500) return undefined;
  const { message, hint, fields } = error;
  const title = TITLES[status] ?? 'Refused';
  return { status, title, message: sentence(message), next: hint && sentence(hint), fields };
}

function toServerRefusal(error: unknown): Refusal {
  const { retryAfterSeconds } = translateFault(error);
  if (retryAfterSeconds === undefined) return problems.fault;
  return { ...problems.noDatabase, headers: { 'Retry-After': String(retryAfterSeconds) } };
}

export async function problemPage(
  error: unknown,
  reportBug: (error: unknown) => void,
  context?: PageContext,
): Promise<Response> {
  const known = findRefusal(error);
  if (known === undefined) reportBug(error);
  const { status, title, message, next, fields = {}, headers } = known ?? toServerRefusal(error);
  const problems = Object.entries(fields).filter(([, problem]) => problem !== message);
  const body = html`<h1>${title}</h1>
<p>${withCode(message)}</p>
${problems.length > 0 ? html`<ul>${problems.map(([field, problem]) => html`<li><strong>${field}</strong>: ${problem}</li>`)}</ul>` : ''}
${next ? html`<p>${withCode(next)}</p>` : ''}
${context === undefined ? '' : html`<p><a class="button" href="${ROOT}">Go to the jobs</a></p>`}`;
  return htmlResponse(await layout({ title, body, context }), status, headers);
}

/** Adds the capital and the period that error messages for the command line don't have. */
function sentence(text: string): string {
  return capital(/[.!?]$/.test(text) ? text : `${text}.`);
}

function withCode(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
