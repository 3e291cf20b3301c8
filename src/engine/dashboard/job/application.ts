import { html } from 'hono/html';
import type { AnswerValue } from '../../../contract/application.ts';
import { PartnerError } from '../../../contract/errors.ts';
import { APPLICATION_STATUSES } from '../../../contract/values.ts';
import { formatCents, valueWord } from '../../../contract/words.ts';
import {
  DECISIONS,
  decideApplication,
  loadWholeApplication,
  type ReadApplication,
} from '../../applications/company-applications.ts';
import type { ChargeDecision } from '../../billing/charge.ts';
import type { EngineParts } from '../../parts.ts';
import { type DashboardRoute, get, type Html, type PageContext, post, type Reply, ROOT } from '../page.ts';
import {
  address,
  facts,
  postForm,
  readId,
  renderTime,
  screenReaderText,
  sign,
  statusBadge,
  userText,
} from '../parts.ts';

export const APPLICATION_ROUTES: readonly DashboardRoute[] = [
  post('/applications/:id/decide', async ({ company, params, form, now }, { store }) => {
    const id = readId(params.id);
    const to = DECISIONS.find((one) => one === form.get('to'));
    if (id === undefined || to === undefined) {
      throw notFound('application or decision');
    }
    const { jobId } = await store.write((queries) => decideApplication(queries, company.id, id, to, now));
    const status = APPLICATION_STATUSES.find((one) => one === form.get('status'));
    const back = { status, before: readId(form.get('before')), done: to };
    // With a status filter, the list may no longer include the application, so the URL doesn't link to it.
    const at = status === undefined ? `#application-${id}` : '';
    return { redirect: address(`${ROOT}/jobs/${jobId}`, back) + at };
  }),
  get('/applications/:id/resume', download),
  get('/applications/:id/answers/:question', download),
];

/** Without a question, returns the resume. Throws NOT_FOUND for unknown files and other companies' applications. */
async function download({ company, params }: PageContext, { store, files }: EngineParts): Promise<Reply> {
  const id = readId(params.id);
  if (id === undefined) throw notFound('application');
  const application = await loadWholeApplication(store, company.id, id);
  const sent = application.files.find(({ question }) => question?.id === params.question);
  const file = sent && (await files.open(sent.fileId));
  if (file === undefined) throw notFound('file');
  const { name, type } = file.row;
  return { download: { name, type, content: new Uint8Array(file.content) } };
}

function notFound(what: string): PartnerError {
  return new PartnerError('NOT_FOUND', {
    message: `${what} not found`,
    hint: 'go back and reload the page',
  });
}

export function applicationCard(
  application: ReadApplication,
  listStatus: string | undefined,
  context: PageContext,
): Html {
  const { id, status, receivedAt, decidedAt, isQualified } = application;
  const name = `${application.firstName} ${application.lastName}`;
  return html`<li class="card" id="application-${id}">
<div class="card-head"><h3>${userText(name)}</h3>${statusBadge(status)}</div>
<p class="meta">Application ${id} · received ${renderTime(receivedAt)}${decidedAt === null ? '' : html` · decided ${renderTime(decidedAt)}`}</p>
<p class="line">${sign(isQualified ? 'good' : 'quiet')} <span>${isQualified ? 'Qualified' : 'Not qualified'} · ${costText(application.charge)}</span></p>
${facts([
  [
    'Email',
    html`<a href="mailto:${encodeURIComponent(application.email.trim())}">${userText(application.email)}</a>`,
  ],
  ['Phone', userText(application.phone)],
  ['Location', userText(application.location)],
])}
<details${status === 'pending' ? html` open` : ''}><summary>Answers and qualifications${screenReaderText(` of ${name}`)}</summary>
<div class="halves">${answers(application)}${qualifications(application)}</div>
</details>
<div class="actions">
${decisions(application, name, listStatus, context)}
<a class="button" href="${ROOT}/applications/${id}/resume" download>Download the resume${screenReaderText(` of ${name}`)}</a>
</div>
</li>`;
}

function costText(cost: ChargeDecision): string {
  if (cost.outcome === 'none') return 'not charged (only qualified applicants are)';
  const amount = formatCents(cost.amountCents);
  if (cost.outcome === 'charged') return `charged ${amount}`;
  const whose = cost.filled.target === 'job' ? "this job's" : "the company's";
  return `free: ${whose} ${valueWord(cost.filled.window)} cap was filled, ${amount} never charged`;
}

function answers({ id, answered }: ReadApplication): Html | '' {
  if (answered.length === 0) return '';
  return html`<dl class="answers">${answered.map(
    ({ question, answer }) =>
      html`<dt>${userText(question.prompt)}</dt><dd class="prose">${
        question.answerFormat === 'FILE'
          ? html`<a href="${ROOT}/applications/${id}/answers/${encodeURIComponent(question.id)}" download>Download the file</a>`
          : userText(answerText(answer))
      }</dd>`,
  )}</dl>`;
}

function answerText(answer: AnswerValue | undefined): string {
  if (answer === undefined) return '–';
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return typeof answer === 'string' || typeof answer === 'number' ? String(answer) : answer.join(', ');
}

function qualifications({ matched }: ReadApplication): Html {
  return html`<ul class="gate" role="list">${matched.map(
    ({ qualification: { text, kind }, isMet }) =>
      html`<li>${sign(isMet ? 'good' : kind === 'REQUIRED' ? 'bad' : 'quiet')}<div>${userText(text)} <span class="meta">${valueWord(kind)}, ${isMet ? 'met' : 'not met'}</span></div></li>`,
  )}</ul>`;
}

const VERBS = { accepted: 'Accept', rejected: 'Reject' } as const;

function decisions(
  { id, status }: ReadApplication,
  name: string,
  listStatus: string | undefined,
  context: PageContext,
): Html[] {
  const before = context.url.searchParams.get('before') ?? '';
  const position = html`<input type="hidden" name="status" value="${listStatus ?? ''}"><input type="hidden" name="before" value="${before}">`;
  return DECISIONS.filter((to) => to !== status).map((to) =>
    postForm(
      context,
      `/applications/${id}/decide`,
      html`<input type="hidden" name="to" value="${to}">${position}
<button class="${to === 'accepted' ? 'primary' : ''}">${VERBS[to]}${screenReaderText(` ${name}`)}</button>`,
    ),
  );
}
