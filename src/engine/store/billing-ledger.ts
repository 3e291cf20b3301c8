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

export type LedgerLine = Awaited<ReturnType<ReturnType<typeof billingLedgerQueries>['lines']>>[number];

export type ChargeOutcome = ChargeRow['outcome'];

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

const COLUMNS: Readonly<Record<BudgetTarget, 'job_id' | 'company_id'>> = {
  job: 'job_id',
  company: 'company_id',
};

/** The columns in which charges on one line of an invoice are alike. */
const ALIKE = ['job_id', 'amount_cents', 'filled_target', 'filled_window'] as const;

/** A float, exact up to 2^53: SQLite fails where a sum of integers overflows. */
const CENTS = sql`amount_cents * 1.0`;

const SUMS = [
  sql<number>`count(case when outcome = 'charged' then 1 end)`.as('charges'),
  sql<number>`coalesce(sum(case when outcome = 'charged' then ${CENTS} end), 0)`.as('chargedCents'),
  sql<number>`count(case when outcome = 'skipped' then 1 end)`.as('skipped'),
  sql<number>`coalesce(sum(case when outcome = 'skipped' then ${CENTS} end), 0)`.as('skippedCents'),
];

export function billingLedgerQueries(connection: Connection) {
  const { db } = connection;
  const within = ({ target, id }: SpendTarget, { from, to }: Interval) =>
    db
      .selectFrom('charges')
      .where(COLUMNS[target], '=', id)
      .where('decided_at', '>=', from)
      .where('decided_at', '<', to ?? END_OF_TIME);

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
        .where('outcome', '=', 'skipped')
        .where('filled_target', '=', of.target)
        .where('filled_window', '=', window)
        .select((on) => on.fn.countAll<number>().as('skipped'))
        .executeTakeFirstOrThrow();
      return Number(skipped);
    },

    /** A company's charges, or skipped charges, added up by job, bid and filled window; in the order of the jobs' ids. */
    async lines(companyId: string, interval: Interval, outcome: ChargeOutcome) {
      const alike = within({ target: 'company', id: companyId }, interval)
        .where('outcome', '=', outcome)
        .select(ALIKE)
        .select((on) => on.fn.countAll<number>().as('applications'))
        .groupBy(ALIKE);
      const rows = await db
        .selectFrom(alike.as('alike'))
        .innerJoin('jobs', 'jobs.id', 'alike.job_id')
        .selectAll('alike')
        .select('jobs.title')
        .orderBy('job_id')
        .orderBy('amount_cents')
        .orderBy('filled_target')
        .orderBy('filled_window')
        .execute();
      return rows.map((row) => ({
        jobId: Number(row.job_id),
        title: row.title,
        bidCents: Number(row.amount_cents),
        applications: Number(row.applications),
        filled: filledOf(row),
      }));
    },

    async days(of: SpendTarget, interval: Interval) {
      const day = sql<string>`substr(decided_at, 1, 10)`;
      const rows = await within(of, interval)
        .select([day.as('day'), ...SUMS])
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

function nameOf({ target, id }: SpendTarget): string {
  return `${target}:${id}`;
}

function parsed(text: string | null | undefined): Spend | undefined {
  return text === null || text === undefined ? undefined : JSON.parse(text);
}
