import { Client } from 'pg';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../src/contract/values.ts';
import { windowName } from '../../engine/billing/recount.ts';
import type { Told } from './worker.ts';

/** The greatest cap that a target ever had, by window. */
export type Caps = Readonly<Partial<Record<BudgetWindow, number>>>;

/** How the titles begin of the jobs that all apply to. */
export const SHARED = 'Shared';

/** Counts anew, from the tables themselves, what the engine has told and counted; gives what is wrong. */
export async function recount(url: string, told: Told, capsOf: (target: string) => Caps): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
  const rows = async (sql: string): Promise<any[]> => (await client.query(sql)).rows;
  const wrong: string[] = [];

  const jobs = new Map((await rows('select * from jobs')).map((job) => [Number(job.id), job]));
  const names = new Map<string, number>();
  for (const { title } of jobs.values()) {
    const name = title.replace(/ rev \d+$/, '');
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  for (const [name, count] of names) if (count > 1) wrong.push(`${count} jobs are ${name}`);
  for (const { id, name, titles, statuses } of told.jobs) {
    const job = jobs.get(id);
    if (job !== undefined && titles.has(job.title) && statuses.has(job.status)) continue;
    wrong.push(
      `job ${id} (${name}), told as ${[...statuses]} "${[...titles]}", is ${job?.status} "${job?.title}"`,
    );
  }
  const known = new Set([...told.jobs.map(({ name }) => name), ...told.unknown, ...told.underKey]);
  for (const name of names.keys()) {
    if (!known.has(name) && !name.startsWith(SHARED)) wrong.push(`nobody created ${name}`);
  }

  const applications = await rows('select * from applications order by id');
  const byEmail = new Map(applications.map((one) => [one.email_key, one]));
  for (const { jobId, email, id, decisions } of told.applications) {
    const one = byEmail.get(email);
    const isThere = one && Number(one.job_id) === jobId && (id === undefined || Number(one.id) === id);
    if (!isThere || !decisions.has(one.status)) {
      wrong.push(
        `application ${id} of ${email} to job ${jobId}, told as ${[...decisions]}, is ${one?.status}`,
      );
    }
  }
  for (const one of applications) {
    const job = jobs.get(Number(one.job_id));
    const asked = new Set(
      [...JSON.parse(job.questions), ...JSON.parse(job.qualifications)].map(({ id }) => id),
    );
    const given = [...JSON.parse(one.answers).map((answer: { questionId: string }) => answer.questionId)];
    for (const id of [...given, ...JSON.parse(one.met)]) {
      if (!asked.has(id)) wrong.push(`application ${one.id} answers what job ${one.job_id} does not ask`);
    }
  }

  const tallies = await rows(`select coalesce(t.job_id, a.job_id) as job from job_tallies t full join
    (select job_id, count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'accepted')
      as accepted, count(*) filter (where status = 'rejected') as rejected from applications group by job_id) a
    on a.job_id = t.job_id
    where (t.pending, t.accepted, t.rejected) is distinct from (a.pending, a.accepted, a.rejected)`);
  if (tallies.length > 0)
    wrong.push(`tallies differ from the applications: jobs ${tallies.map(({ job }) => job)}`);

  const files = await rows(`select id from files where not exists
    (select from file_contents where file_contents.digest = files.digest)`);
  if (files.length > 0) wrong.push(`${files.length} files have no content`);
  const stored = new Set((await rows('select id from files')).map(({ id }) => id));
  for (const id of told.files) if (!stored.has(id)) wrong.push(`file ${id} is gone`);

  const uncharged = await rows(`select a.id from applications a left join charges c on c.application_id = a.id
    where (a.is_qualified = 1) <> (c.id is not null)`);
  if (uncharged.length > 0) wrong.push(`${uncharged.length} applications are charged wrongly`);
  wrong.push(...(await replayed(await rows('select * from charges order by id'), capsOf)));
  await client.end();
  return wrong;
}

/** Whether each charge was decided as the caps of its time say, given all before it. */
async function replayed(
  // biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
  charges: any[],
  capsOf: (target: string) => Caps,
): Promise<string[]> {
  const wrong: string[] = [];
  const spent = new Map<string, number>();
  for (const { id, job_id, company_id, outcome, amount_cents, decided_at, filled_target } of charges) {
    const amount = Number(amount_cents);
    const inWindows = [`job:${job_id}`, `company:${company_id}`].flatMap((target) =>
      BUDGET_WINDOWS.map((window) => ({
        name: `${target} ${window} ${windowName(window, Date.parse(decided_at))}`,
        cap: capsOf(target)[window] ?? Number.POSITIVE_INFINITY,
        isMoving: target.startsWith('company:') && 'isMoving' in capsOf(target),
      })),
    );
    const isOver = inWindows.some(({ name, cap }) => (spent.get(name) ?? 0) + amount > cap);
    const isMoving = inWindows.some((window) => window.isMoving) && filled_target === 'company';
    if (outcome === 'charged' && isOver) wrong.push(`charge ${id} is over a cap`);
    if (outcome === 'skipped' && !isOver && !isMoving) wrong.push(`charge ${id} was skipped under every cap`);
    if (outcome === 'charged')
      for (const { name } of inWindows) spent.set(name, (spent.get(name) ?? 0) + amount);
  }
  return wrong;
}
