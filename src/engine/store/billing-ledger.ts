import { sql } from 'kysely';
import type { BudgetWindow } from '../../contract/values.ts';
import type { BudgetTarget, FilledWindow, Spend } from '../billing/charge.ts';
import { type Connection, param, paramsOf, queryFirst } from './connection.ts';
import type { ChargeRow, NewChargeRow } from './tables.ts';

export interface SpendTarget {
  readonly target: BudgetTarget;
  readonly id: string | number;
}

/** A half-open interval of time, as stored: ISO 8601 text. */
export interface Interval {
  readonly from: string;
  readonly to: string | null;
}

interface LinesFilter {
  readonly companyId: string;
  readonly month: string | undefined;
  readonly outcome: ChargeOutcome;
  readonly jobsMax?: number | undefined;
}

export type LedgerLine = Awaited<ReturnType<ReturnType<typeof billingLedgerQueries>['lines']>>[number];

export type ChargeOutcome = ChargeRow['outcome'];

const DAY_CHARACTERS = '2026-03-02'.length;
const END_OF_TIME = '9999-12-31';

/** The columns in which charges on one line of an invoice are alike. */
const ALIKE = ['job_id', 'amount_cents', 'filled'] as const;

/** As a float, exact up to 2^53: SQLite fails where a sum of integers overflows. */
const sumOf = (column: 'charges' | 'cents', outcome: ChargeOutcome) => {
  const isMeant = outcome === 'charged' ? sql`filled = ''` : sql`filled <> ''`;
  return sql<number>`coalesce(sum(case when ${isMeant} then ${sql.ref(column)} * 1.0 end), 0)`;
};

const SUMS = [
  sumOf('charges', 'charged').as('charges'),
  sumOf('cents', 'charged').as('chargedCents'),
  sumOf('charges', 'skipped').as('skipped'),
  sumOf('cents', 'skipped').as('skippedCents'),
];

export function billingLedgerQueries(connection: Connection) {
  const { db } = connection;
  /** Whole days: all windows of budgets begin and end with a day in UTC. */
  const within = (of: SpendTarget, { from, to }: Interval) =>
    db
      .selectFrom('charge_days')
      .where('target', '=', nameOf(of))
      .where('day', '>=', from.slice(0, DAY_CHARACTERS))
      .where('day', '<', (to ?? END_OF_TIME).slice(0, DAY_CHARACTERS));

  return {
    async spends(jobId: number, companyId: string): Promise<Record<BudgetTarget, Spend | undefined>> {
      const query = () =>
        db.selectNoFrom((on) => [
          on.selectFrom('spends').select('spend').where('target', '=', param('job')).as('job'),
          on.selectFrom('spends').select('spend').where('target', '=', param('company')).as('company'),
        ]);
      const names = {
        job: nameOf({ target: 'job', id: jobId }),
        company: nameOf({ target: 'company', id: companyId }),
      };
      const row = await queryFirst(connection, 'spends', query, names);
      return { job: parsed(row?.job), company: parsed(row?.company) };
    },

    async spend(of: SpendTarget): Promise<Spend | undefined> {
      const query = () => db.selectFrom('spends').select('spend').where('target', '=', param('target'));
      const row = await queryFirst(connection, 'spend', query, { target: nameOf(of) });
      return parsed(row?.spend);
    },

    async putSpend(of: SpendTarget, spend: Spend): Promise<void> {
      const row = { target: nameOf(of), spend: JSON.stringify(spend) };
      const query = () =>
        db
          .insertInto('spends')
          .values(paramsOf(row))
          .onConflict((conflict) => conflict.column('target').doUpdateSet({ spend: param('spend') }));
      await queryFirst(connection, 'put spend', query, row);
    },

    async append(charge: NewChargeRow): Promise<void> {
      const query = () => db.insertInto('charges').values(paramsOf(charge));
      await queryFirst(connection, 'append charge', query, { ...charge });
    },

    async sums(of: SpendTarget, interval: Interval) {
      return sumsOf(await within(of, interval).select(SUMS).executeTakeFirstOrThrow());
    },

    /** How many charges were skipped in an interval because that window of the target's own budget was filled. */
    async skippedBy(of: SpendTarget, window: BudgetWindow, interval: Interval): Promise<number> {
      const { skipped } = await within(of, interval)
        .where('filled', '=', `${of.target}:${window}`)
        .select((on) => on.fn.sum<number | null>('charges').as('skipped'))
        .executeTakeFirstOrThrow();
      return Number(skipped);
    },

    /**
     * A company's charges, or skipped charges, added up by job, bid and filled window, in the order of the jobs' ids: of
     * one month (as 2026-03) or of all time, of all jobs or the first `jobsMax`.
     */
    async lines({ companyId, month, outcome, jobsMax }: LinesFilter) {
      const ofMonth = db
        .selectFrom('charge_lines')
        .where('charge_lines.company_id', '=', companyId)
        .where('outcome', '=', outcome)
        .$if(month !== undefined, (query) => query.where('month', '=', month as string));
      const first = ofMonth.select('job_id').distinct().orderBy('job_id');
      const rows = await ofMonth
        .$if(jobsMax !== undefined, (query) => query.where('job_id', 'in', first.limit(jobsMax as number)))
        .innerJoin('jobs', 'jobs.id', 'job_id')
        .select(ALIKE)
        .select((on) => [
          on.fn.max('jobs.title').as('title'),
          on.fn.sum<number>('applications').as('applications'),
        ])
        .groupBy(ALIKE)
        .orderBy('job_id')
        .orderBy('amount_cents')
        .orderBy('filled')
        .execute();
      return rows.map((row) => ({
        jobId: Number(row.job_id),
        title: row.title,
        bidCents: Number(row.amount_cents),
        applications: Number(row.applications),
        filled: filledNamed(row.filled),
      }));
    },

    async days(of: SpendTarget, interval: Interval) {
      const rows = await within(of, interval)
        .select(['day', ...SUMS])
        .groupBy('day')
        .orderBy('day')
        .execute();
      return rows.map((row) => ({ day: row.day, ...sumsOf(row) }));
    },
  };
}

/** PostgreSQL gives sums as text. */
function sumsOf(row: Record<'charges' | 'chargedCents' | 'skipped' | 'skippedCents', unknown>) {
  return {
    charges: Number(row.charges),
    chargedCents: Number(row.chargedCents),
    skipped: Number(row.skipped),
    skippedCents: Number(row.skippedCents),
  };
}

export function filledOf(row: Pick<ChargeRow, 'filled_target' | 'filled_window'>): FilledWindow | null {
  const { filled_target: target, filled_window: window } = row;
  return target === null || window === null ? null : { target, window };
}

function filledNamed(name: string): FilledWindow | null {
  const [target, window] = name.split(':') as [BudgetTarget, BudgetWindow?];
  return window === undefined ? null : { target, window };
}

function nameOf({ target, id }: SpendTarget): string {
  return `${target}:${id}`;
}

function parsed(text: string | null | undefined): Spend | undefined {
  return text === null || text === undefined ? undefined : JSON.parse(text);
}
