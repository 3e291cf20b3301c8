import { html } from 'hono/html';
import type { AnswerValue } from '../../../contract/application.ts';
import { formatCents } from '../../../contract/money.ts';
import { valueWord } from '../../../contract/words.ts';
import { DECISIONS } from '../../applications/decide-application.ts';
import type { ChargeDecision } from '../../billing/charge.ts';
import type { JobPage, ShownApplication } from '../models/job.ts';
import type { Html, Visit } from '../visit.ts';
import { badge, capital, facts, postForm, ROOT, sign, spoken, type Tone, theirs, timeOf } from './parts.ts';

const TONES: Readonly<Record<ShownApplication['status'], Tone>> = {
  pending: 'info',
  accepted: 'good',
  rejected: 'quiet',
};

/** An application: who it is, what was answered, what it cost, and what can be done with it. */
export function applicationCard(application: ShownApplication, page: JobPage, visit: Visit): Html {
  const { id, status, isNew, receivedAt, decidedAt, isQualified } = application;
  const name = `${application.firstName} ${application.lastName}`;
  return html`<li class="card" id="application-${id}">
<div class="card-head"><h3>${theirs(name)}</h3>${badge(TONES[status], capital(status))}${isNew ? badge('new', 'New') : ''}</div>
<p class="meta">Application ${id} · received ${timeOf(receivedAt)}${decidedAt === null ? '' : html` · decided ${timeOf(decidedAt)}`}</p>
<p class="line">${sign(isQualified ? 'good' : 'quiet')} <span>${isQualified ? 'Qualified' : 'Not qualified'} · ${costText(application.charge)}</span></p>
${facts([
  [
    'Email',
    html`<a href="mailto:${encodeURIComponent(application.email.trim())}">${theirs(application.email)}</a>`,
  ],
  ['Phone', theirs(application.phone)],
  ['Location', theirs(application.location)],
])}
<details${status === 'pending' ? html` open` : ''}><summary>Answers and qualifications${spoken(` of ${name}`)}</summary>
<div class="halves">${answers(application)}${qualifications(application)}</div>
</details>
<div class="actions">
${decisions(application, name, page, visit)}
<a class="button" href="${ROOT}/applications/${id}/resume" download>Download the resume${spoken(` of ${name}`)}</a>
</div>
</li>`;
}

function costText(cost: ChargeDecision): string {
  if (cost.outcome === 'none') return 'not charged: only qualified applicants are';
  const amount = formatCents(cost.amountCents);
  if (cost.outcome === 'charged') return `charged ${amount}`;
  const whose = cost.filled.target === 'job' ? "this job's" : "the company's";
  return `free: ${whose} ${valueWord(cost.filled.window)} cap was filled, ${amount} never charged`;
}

function answers({ id, answered }: ShownApplication): Html | '' {
  if (answered.length === 0) return '';
  return html`<dl class="answers">${answered.map(
    ({ question, answer }) =>
      html`<dt>${theirs(question.prompt)}</dt><dd class="prose">${
        question.answerFormat === 'FILE'
          ? html`<a href="${ROOT}/applications/${id}/answers/${encodeURIComponent(question.id)}" download>Download the file</a>`
          : theirs(answerText(answer))
      }</dd>`,
  )}</dl>`;
}

function answerText(answer: AnswerValue | undefined): string {
  if (answer === undefined) return '–';
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return typeof answer === 'string' || typeof answer === 'number' ? String(answer) : answer.join(', ');
}

function qualifications({ matched }: ShownApplication): Html {
  return html`<ul class="gate" role="list">${matched.map(
    ({ qualification: { text, kind }, isMet }) =>
      html`<li>${sign(isMet ? 'good' : kind === 'REQUIRED' ? 'bad' : 'quiet')}<div>${theirs(text)} <span class="meta">${valueWord(kind)}, ${isMet ? 'met' : 'not met'}</span></div></li>`,
  )}</ul>`;
}

/** So that whoever has decided finds the list as it was. */
function whereFrom({ status }: JobPage, { url }: Visit): Html {
  return html`<input type="hidden" name="status" value="${status ?? ''}"><input type="hidden" name="before" value="${url.searchParams.get('before') ?? ''}">`;
}

const VERBS = { accepted: 'Accept', rejected: 'Reject' } as const;

/** What can still be decided: somebody may change their mind. */
function decisions({ id, status }: ShownApplication, name: string, page: JobPage, visit: Visit): Html[] {
  return DECISIONS.filter((to) => to !== status).map((to) =>
    postForm(
      visit,
      `/applications/${id}/decide`,
      html`<input type="hidden" name="to" value="${to}">${whereFrom(page, visit)}
<button class="${to === 'accepted' ? 'primary' : ''}">${VERBS[to]}${spoken(` ${name}`)}</button>`,
    ),
  );
}
