import { html } from 'hono/html';
import type { ApplicationStatus, JobStatus } from '../../contract/values.ts';
import { formatCents, formatCount, RESETS, valueWord } from '../../contract/words.ts';
import type { BudgetState } from '../applications/caps.ts';
import { type Html, type PageContext, ROOT } from './page.ts';
import tones from './tones.json' with { type: 'json' };

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

export function renderTime(time: string): Html {
  return html`<time datetime="${time}">${dayText(time)}, ${time.slice(11, 16)}&nbsp;UTC</time>`;
}

export function renderDay(time: string): Html {
  return html`<time datetime="${time}">${dayText(time)}</time>`;
}

function dayText(time: string): string {
  const [year, month, day] = time.slice(0, 10).split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** Isolates the text direction of user content from the text around it. */
export function userText(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

export const NO_CAPS = "No caps. Only the company's budget limits spending.";

export function screenReaderText(text: string): Html {
  return html`<span class="visually-hidden">${text}</span>`;
}

export type Tone = keyof typeof tones.signs;

export function sign(tone: Tone): Html {
  return html`<svg class="sign ${tone}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="7.25" /><path d="${tones.signs[tone]}" /></svg>`;
}

export function badge(tone: Tone | 'new', text: string): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

export function statusBadge(status: JobStatus | ApplicationStatus): Html {
  return badge(tones.ofStatuses[status] as Tone, capital(status.toLowerCase()));
}

export function notice(tone: Tone, body: Html | string, isUrgent = false): Html {
  return html`<div class="notice ${tone}" role="${isUrgent ? 'alert' : 'status'}">${sign(tone)}<div>${body}</div></div>`;
}

export function renderDoneNotice({ url }: PageContext, texts: Readonly<Record<string, string>>): Html | '' {
  const done = url.searchParams.get('done') ?? '';
  return Object.hasOwn(texts, done) ? notice('good', texts[done] ?? '') : '';
}

export function postForm({ csrf }: PageContext, path: string, content: Html, className = ''): Html {
  return html`<form method="post" action="${ROOT}${path}" class="${className}">
<input type="hidden" name="csrf" value="${csrf}">
${content}
</form>`;
}

export function statusTabs(
  label: string,
  path: string,
  counts: Readonly<Record<string, number>>,
  current: string | undefined,
): Html {
  const entries = Object.entries(counts);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const tab = (text: string, count: number, href: string, isCurrent: boolean) =>
    html`<li><a href="${href}"${isCurrent ? html` aria-current="true"` : ''}>${text} <span class="count">${count}</span></a></li>`;
  return html`<nav class="tabs" aria-label="${label}"><ul>${tab('All', total, path, current === undefined)}${entries.map(
    ([status, count]) =>
      tab(capital(status.toLowerCase()), count, address(path, { status }), status === current),
  )}</ul></nav>`;
}

interface ListPosition {
  readonly status: string | undefined;
  readonly isLater: boolean;
  readonly beforeId: number | undefined;
}

export function pager(label: string, path: string, { status, isLater, beforeId }: ListPosition): Html | '' {
  if (!isLater && beforeId === undefined) return '';
  return html`<nav class="pager" aria-label="${label}">
${isLater ? html`<a class="button" href="${address(path, { status })}">Back to the newest</a>` : ''}
${beforeId === undefined ? '' : html`<a class="button" rel="next" href="${address(path, { status, before: beforeId })}">Older</a>`}
</nav>`;
}

export function address(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

export function facts(
  entries: readonly (readonly [name: string, value: Html | string | undefined])[],
  kind: 'wide' | 'narrow' = 'wide',
): Html {
  return html`<dl class="facts ${kind}">${entries
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function readId(text: string | null | undefined): number | undefined {
  const id = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return id > 0 ? id : undefined;
}

const BAR_UNITS = 100;

export function budgetBars(budgets: readonly BudgetState[]): Html {
  return html`<ul class="budgets" role="list">${budgets.map(budgetBar)}</ul>`;
}

function budgetBar(budget: BudgetState): Html {
  const { window, budgetCents, spentCents, skippedCharges, isFilled, notes } = budget;
  const leftCents = Math.max(budgetCents - spentCents, 0);
  const left = `${formatCents(leftCents)} left${isFilled && leftCents > 0 ? ', less than a bid' : ''}`;
  return html`<li class="budget${isFilled ? ' filled' : ''}">
<p class="budget-head"><strong>${capital(valueWord(window))}</strong> <span class="figures">${formatCents(spentCents)} of ${formatCents(budgetCents)}</span></p>
${bar(spentCents, budgetCents)}
<p class="budget-foot">${isFilled ? html`${badge('warn', 'Filled')} ` : ''}<span>${left} · ${formatCount(skippedCharges, 'charge')} skipped</span></p>
<p class="meta">${reset(budget)}</p>
${notes ? html`<p class="meta">${userText(notes)}</p>` : ''}
</li>`;
}

function reset({ window, resetsAt, budgetCents }: BudgetState): Html | string {
  const never =
    budgetCents === 0 ? 'Hidden from candidates because the cap is 0. Every application is free. ' : '';
  if (resetsAt === null) return `${never}Never resets`;
  return html`${never}Resets ${RESETS[window]}, next on ${renderTime(resetsAt)}`;
}

export function bar(spentCents: number, budgetCents: number): Html {
  const share = budgetCents === 0 ? 1 : Math.min(spentCents / budgetCents, 1);
  const width = Math.round(share * BAR_UNITS * 10) / 10;
  return html`<svg class="bar" viewBox="0 0 ${BAR_UNITS} 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-track" width="${BAR_UNITS}" height="8" /><rect class="bar-fill" width="${width}" height="8" /></svg>`;
}
