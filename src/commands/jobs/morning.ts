import type { Connection } from '../../cli/connection/connect.ts';
import { clean, details, paragraph, section, type View } from '../../cli/terminal/view.ts';
import { distance, moment, parseServerTime } from '../../cli/terminal/words.ts';
import type { ServerJob } from '../../client/server-job.ts';
import { publishGate } from '../../contract/gate.ts';
import { isExpiring, SOON_MS } from '../../contract/lifecycle.ts';
import { fieldName } from '../../contract/problems.ts';
import { BUDGET_WINDOWS, JOB_STATUSES } from '../../contract/values.ts';
import { formatCents, RESETS, statusCounts, valueWord } from '../../contract/words.ts';
import { wholeContent } from './job-checks.ts';
import { type ListedJob, loadListedJobs, SPENDING, withSpending } from './listed-jobs.ts';
import words from './needs.json' with { type: 'json' };

type Company = Awaited<ReturnType<NonNullable<Connection['ofCompany']>['status']>>;
type Counts = Record<string, number>;
type Group = keyof typeof words.groups;
type Need = ReturnType<typeof describeNeed>;

const GROUPS = Object.keys(words.groups) as Group[];
const ENTRIES_MAX = 3;

/** Reads all jobs and returns the facts and tasks that a recruiter needs. */
export async function loadMorning(connection: Connection) {
  const { jobs: listed, ...source } = await loadListedJobs(connection, {}, Number.POSITIVE_INFINITY);
  const { ofCompany } = connection;
  const [company = null, now] = [await ofCompany?.status(), connection.now()];
  const jobs: Counts = Object.fromEntries(JOB_STATUSES.map((status) => [status, 0]));
  const applicants: Counts = {};
  const needs = { drafts: [], notLive: [], expiring: [], newApplicants: [] } as Record<Group, Need[]>;
  for await (const job of withSpending(listed, ofCompany)) {
    addCounts(jobs, { [job.status ?? 'UNKNOWN']: 1 });
    const { pending, accepted, rejected } = job.applicationCounts ?? {};
    addCounts(applicants, { new: job.newApplicantCount, pending, accepted, rejected });
    for (const found of findNeeds(job, company, now)) {
      const [code] = found;
      needs[words.needs[code].group as Group].push(describeNeed(job, found, company !== null));
    }
  }
  const spentCents = (await ofCompany?.spending([]))?.company ?? null;
  return { ...source, jobs, applicants, spentCents, company, ...needs };
}

function addCounts(sums: Counts, counts: Readonly<Record<string, number | undefined>>): void {
  for (const [name, count] of Object.entries(counts))
    if (count !== undefined) sums[name] = (sums[name] ?? 0) + count;
}

type FoundNeed = readonly [code: keyof typeof words.needs, values?: Readonly<Record<string, unknown>>];

function describeNeed({ id, title = '' }: ServerJob, [code, values]: FoundNeed, isBundled: boolean) {
  const { message, next } = words.needs[code] as typeof words.needs.READY;
  const shown: Readonly<Record<string, unknown>> = { id, ...values };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => String(shown[name]));
  // Only the bundled engine has `partner dashboard`.
  const isKnown = next !== undefined && (isBundled || !next.startsWith('partner dashboard'));
  return { id, title, code, message: fill(message), ...(isKnown && { next: fill(next) }) };
}

function* findNeeds(job: ListedJob, company: Company | null, now: number): Generator<FoundNeed> {
  const { status, expiresAt, newApplicantCount: fresh = 0, [SPENDING]: spending } = job;
  const when = distance(expiresAt, now);
  if (status === 'DRAFT') {
    // A server's API doesn't report the terms and the card.
    const facts = { termsAccepted: company?.terms.accepted ?? true, cardOnFile: company?.card !== null };
    const gate = publishGate(wholeContent(job), facts);
    const gaps = gate.code === 'VALIDATION_FAILED' ? gate.gaps : [];
    const fields = gaps.slice(0, ENTRIES_MAX).map(({ path }) => fieldName(path));
    const more = gaps.length > ENTRIES_MAX ? ` and ${gaps.length - ENTRIES_MAX} more` : '';
    yield [gate.code ?? 'READY', { fields: fields.join(', ') + more }];
  }
  if (status === 'PAUSED') yield [status];
  if (status === 'EXPIRED' && (parseServerTime(expiresAt) ?? 0) > now - SOON_MS)
    yield [status, { when: moment(expiresAt) }];
  if (spending?.filled) {
    const { target, window } = spending.filled;
    const code = target === 'job' ? 'JOB_CAP_FILLED' : 'COMPANY_CAP_FILLED';
    yield [code, { window: valueWord(window), resets: RESETS[window] }];
  }
  if (status === 'ACTIVE' && isExpiring(job, SOON_MS, now)) yield ['EXPIRING', { when }];
  if (fresh > 0) yield ['NEW_APPLICANTS', { fresh, pending: job.applicationCounts?.pending ?? 0 }];
}

export function renderMorning(morning: Awaited<ReturnType<typeof loadMorning>>, view: View): string {
  const { jobs, applicants, spentCents, company } = morning;
  const counted = Object.entries(applicants).map(([name, count]) => `${count} ${name}`);
  const spent = BUDGET_WINDOWS.map((window) => {
    const cap = company?.budgets.find((one) => one.window === window);
    const amounts = [spentCents?.[window] ?? 0, ...(cap ? [cap.budgetCents] : [])].map(formatCents);
    return `${amounts.join(' of ')} ${valueWord(window)}`;
  });
  const facts = [
    ['Jobs', clean(statusCounts(jobs))],
    ['Applicants', counted.join(' · ') || (company === null ? 'not reported' : 'none')],
    ['Spent', company === null ? 'not reported' : spent.join(' · ')],
  ] as const;
  const sections = GROUPS.map((group) => renderGroup(group, morning[group], view));
  const isDone = GROUPS.every((group) => morning[group].length === 0);
  const notes = [isDone && 'Nothing to do.', company === null && words.unreported];
  const paragraphs = notes.flatMap((text) => (text === false ? [] : `\n${paragraph(text, view)}`));
  return [details(facts, view), ...sections, ...paragraphs].join('');
}

function renderGroup(group: Group, needs: readonly Need[], view: View): string {
  const { title, list } = words.groups[group];
  const rows = needs.slice(0, ENTRIES_MAX).map((need) => {
    const next = need.next === undefined ? '' : ` ${view.paint('cyan', `→ ${need.next}`)}`;
    return [String(need.id), `${clean(need.title) || 'Untitled'} · ${clean(need.message)}${next}`] as const;
  });
  const left = needs.length - rows.length;
  const more = left === 0 ? [] : [['…', `${left} more: ${list}`] as const];
  return section(`${title}: ${needs.length}`, details([...rows, ...more], view), view);
}
