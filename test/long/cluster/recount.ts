import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';
import { windowName } from '../../engine/billing/recount.ts';
import { onDatabase } from '../../engine/store/postgres-server.ts';
import type { Told } from './worker.ts';

export interface Caps extends Readonly<Partial<Record<BudgetWindow, number>>> {
  /** The cap was also lower at times. */
  readonly isMoved?: true;
}

export const SHARED = 'Shared';

/** The totals that the engine maintains, and queries that recompute them. Both skip zeros. */
const TOTALS = {
  job_tallies: [
    'select job_id, pending, accepted, rejected from job_tallies',
    `select job_id, ${['pending', 'accepted', 'rejected'].map((status) => `count(*) filter (where status = '${status}')`)}
      from applications group by job_id`,
  ],
  job_counts: [
    `select company_id, sum(draft), sum(active), sum(paused), sum(closed), sum(expired) from job_counts group by 1`,
    `select company_id, ${['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'EXPIRED'].map((status) => `count(*) filter (where status = '${status}')`)}
      from jobs group by 1`,
  ],
  charge_days: [
    `select target, sum(cents) from charge_days where filled = '' group by 1`,
    `select target, sum(amount_cents) from charges, lateral (values ('job:' || job_id), ('company:' || company_id)) t (target)
      where outcome = 'charged' group by 1`,
  ],
  charge_lines: [
    'select job_id, outcome, sum(applications) from charge_lines group by 1, 2',
    'select job_id, outcome, count(*) from charges group by 1, 2',
  ],
  'charges of the qualified': [
    'select application_id from charges',
    'select id from applications where is_qualified = 1',
  ],
  'contents of files': ['select digest from file_contents', 'select distinct digest from files'],
} as const;

export async function recount(url: string, told: Told, capsOf: (target: string) => Caps): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
  const rows = (sql: string): Promise<any[]> => onDatabase(url, sql);
  const wrong: string[] = [];

  const jobs = new Map((await rows('select * from jobs')).map((job) => [Number(job.id), job]));
  const known = new Set([...told.jobs.map(({ name }) => name), ...told.unknown]);
  const names = new Set<string>();
  for (const { id, title } of jobs.values()) {
    const name = title.replace(/ rev \d+$/, '');
    if (names.has(name)) wrong.push(`job ${id} is a second "${name}"`);
    if (!known.has(name) && !name.startsWith(SHARED)) wrong.push(`nobody created job ${id}, "${name}"`);
    names.add(name);
  }
  for (const { id, titles, statuses } of told.jobs) {
    const { title, status } = jobs.get(id) ?? {};
    if (titles.has(title) && statuses.has(status)) continue;
    wrong.push(`job ${id}, told as ${[...statuses]} "${[...titles]}", is ${status} "${title}"`);
  }

  const applications = await rows('select * from applications');
  const byEmail = new Map(applications.map((one) => [one.email_key, one]));
  for (const { jobId, email, id, decisions } of told.applications) {
    const { id: stored, job_id, status } = byEmail.get(email) ?? {};
    const isThere = Number(job_id) === jobId && (id === undefined || Number(stored) === id);
    if (!isThere || !decisions.has(status))
      wrong.push(`application ${id} of ${email} to job ${jobId}, told as ${[...decisions]}, is ${status}`);
  }
  for (const { id, job_id, answers, met } of applications) {
    const { questions, qualifications } = jobs.get(Number(job_id));
    const asked = new Set([...JSON.parse(questions), ...JSON.parse(qualifications)].map((entry) => entry.id));
    const given = [...JSON.parse(answers).map((answer: { questionId: string }) => answer.questionId)];
    const isFitting = [...given, ...JSON.parse(met)].every((entry) => asked.has(entry));
    if (!isFitting) wrong.push(`application ${id} answers what job ${job_id} does not ask`);
  }
  const files = new Set((await rows('select id from files')).map(({ id }) => id));
  for (const id of told.files) if (!files.has(id)) wrong.push(`file ${id} is gone`);

  for (const [name, [kept, counted]] of Object.entries(TOTALS)) {
    const differing = await rows(
      `with kept as (${kept}), counted as (${counted})
        (select 'kept', kept::text from (table kept except table counted) kept)
        union all (select 'counted', counted::text from (table counted except table kept) counted)`,
    );
    if (differing.length > 0) wrong.push(`${name}: ${JSON.stringify(differing).slice(0, 500)}`);
  }
  return [...wrong, ...misbilled(await rows('select * from charges order by id'), capsOf)];
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
function misbilled(charges: readonly any[], capsOf: (target: string) => Caps): string[] {
  const spent = new Map<string, number>();
  return charges.flatMap(({ id, job_id, company_id, outcome, amount_cents, decided_at, filled_target }) => {
    const targets = { job: `job:${job_id}`, company: `company:${company_id}` };
    const windows = Object.values(targets).flatMap((target) =>
      BUDGET_WINDOWS.map((window) => ({
        name: `${target} ${window} ${windowName(window, Date.parse(decided_at))}`,
        cap: capsOf(target)[window] ?? Number.POSITIVE_INFINITY,
      })),
    );
    const amount = Number(amount_cents);
    const fits = windows.every(({ name, cap }) => (spent.get(name) ?? 0) + amount <= cap);
    if (outcome === 'charged') {
      for (const { name } of windows) spent.set(name, (spent.get(name) ?? 0) + amount);
      return fits ? [] : [`charge ${id} is over a cap`];
    }
    const isMoved = capsOf(targets[filled_target as keyof typeof targets]).isMoved;
    return fits && !isMoved ? [`charge ${id} was skipped though it fits under every cap`] : [];
  });
}
