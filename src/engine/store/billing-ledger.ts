import { sql } from 'kysely';
import type { SpentCents } from '../../contract/gate.ts';
import { isoTime } from '../../contract/time.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../../contract/values.ts';
import type { BudgetTarget, FilledWindow, Spend } from '../billing/charge.ts';
import { eachWindow, toWindowSpan, type WindowSpan } from '../billing/charge.ts';
import { type Connection, prepare } from './connection.ts';
import type { ChargeRow, NewChargeRow } from './tables.ts';

export interface SpendTarget {
  readonly target: BudgetTarget;
  readonly id: string | number;
}

export interface LinesFilter {
  readonly companyId: string;
  readonly month?: string | undefined;
  /** `charged` lists the charges (8.5b). `skipped` lists applicants that were delivered free of charge. */
  readonly outcome: ChargeRow['outcome'];
  readonly jobsMax?: number | undefined;
}

export type LedgerLine = Awaited<ReturnType<ReturnType<typeof createBillingLedgerQueries>['lines']>>[number];

/** Sums as floats, which are exact up to 2^53, because SQLite fails if a sum of integers overflows. */
const buildSum = (column: 'charges' | 'cents', outcome: ChargeRow['outcome']) => {
  const isMeant = outcome === 'charged' ? sql`filled = ''` : sql`filled <> ''`;
  return sql<number>`coalesce(sum(case when ${isMeant} then ${sql.ref(column)} * 1.0 end), 0)`;
};

const SUMS = [
  buildSum('charges', 'charged').as('charges'),
  buildSum('cents', 'charged').as('chargedCents'),
  buildSum('charges', 'skipped').as('skipped'),
  buildSum('cents', 'skipped').as('skippedCents'),
];

const buildWindowSum = (window: BudgetWindow, now: number) => {
  const [from, until] = dayRange(toWindowSpan(window, now));
  return sql<number>`coalesce(sum(case when day >= ${from} and day < ${until} then cents * 1.0 end), 0)`;
};

export function createBillingLedgerQueries(connection: Connection) {
  const { db } = connection;
  /** Compares whole days, because every budget window starts and ends at midnight UTC. */
  const selectDays = (of: SpendTarget, span: WindowSpan) => {
    const [from, until] = dayRange(span);
    return db
      .selectFrom('charge_days')
      .where('target', '=', formatTarget(of))
      .where('day', '>=', from)
      .where('day', '<', until);
  };

  const findSpends = prepare(connection, 'spends', (job: string, company: string) =>
    db.selectNoFrom((on) => [
      on.selectFrom('spends').select('spend').where('target', '=', job).as('job'),
      on.selectFrom('spends').select('spend').where('target', '=', company).as('company'),
    ]),
  );
  const findSpend = prepare(connection, 'spend', (target: string) =>
    db.selectFrom('spends').select('spend').where('target', '=', target),
  );
  const putSpend = prepare(connection, 'put spend', (target: string, spend: string) =>
    db
      .insertInto('spends')
      .values({ target, spend })
      .onConflict((conflict) => conflict.column('target').doUpdateSet({ spend })),
  );

  return {
    async spends(job: SpendTarget, company: SpendTarget): Promise<Record<BudgetTarget, Spend | undefined>> {
      const row = await findSpends(formatTarget(job), formatTarget(company));
      return { job: parseSpend(row?.job), company: parseSpend(row?.company) };
    },

    spend: async (of: SpendTarget) => parseSpend((await findSpend(formatTarget(of)))?.spend),

    putSpend: (of: SpendTarget, spend: Spend) => putSpend(formatTarget(of), JSON.stringify(spend)),

    append: prepare(connection, 'append charge', (charge: NewChargeRow) =>
      db.insertInto('charges').values(charge),
    ),

    sums: (of: SpendTarget, span: WindowSpan) => selectDays(of, span).select(SUMS).executeTakeFirstOrThrow(),

    /** Sums the charges of many targets in one statement. Returns a function that finds those of a target. */
    async spentCents(targets: readonly SpendTarget[], now: number): Promise<(of: SpendTarget) => SpentCents> {
      const rows = await db
        .selectFrom('charge_days')
        .where('target', 'in', targets.map(formatTarget))
        .where('filled', '=', '')
        .select(['target', ...BUDGET_WINDOWS.map((window) => buildWindowSum(window, now).as(window))])
        .groupBy('target')
        .execute();
      const found = new Map(rows.map(({ target, ...spent }) => [target, spent]));
      return (of) => found.get(formatTarget(of)) ?? eachWindow(() => 0);
    },

    async countSkipped(of: SpendTarget, window: BudgetWindow, span: WindowSpan): Promise<number> {
      const { skipped } = await selectDays(of, span)
        .where('filled', '=', `${of.target}:${window}`)
        .select((on) => on.fn.sum<number | null>('charges').as('skipped'))
        .executeTakeFirstOrThrow();
      return skipped ?? 0;
    },

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
        .select(['job_id as jobId', 'amount_cents as bidCents', 'filled'])
        .select((on) => [
          on.fn.max('jobs.title').as('title'),
          on.fn.sum<number>('applications').as('applications'),
        ])
        .groupBy(['job_id', 'amount_cents', 'filled'])
        .orderBy('job_id')
        .orderBy('amount_cents')
        .orderBy('filled')
        .execute();
      return rows.map((row) => ({ ...row, filled: parseFilledWindow(row.filled) }));
    },

    days: (of: SpendTarget, span: WindowSpan) =>
      selectDays(of, span)
        .select(['day', ...SUMS])
        .groupBy('day')
        .orderBy('day')
        .execute(),
  };
}

export function toFilledWindow(row: Pick<ChargeRow, 'filled_target' | 'filled_window'>): FilledWindow | null {
  const { filled_target: target, filled_window: window } = row;
  return target === null || window === null ? null : { target, window };
}

function parseFilledWindow(name: string): FilledWindow | null {
  const [target, window] = name.split(':') as [BudgetTarget, BudgetWindow?];
  return window === undefined ? null : { target, window };
}

function dayRange({ startsAt, endsAt }: WindowSpan): [from: string, until: string] {
  return [formatDay(startsAt), endsAt === null ? '9999-12-31' : formatDay(endsAt)];
}

function formatDay(time: number): string {
  return isoTime(time).slice(0, '2026-03-02'.length);
}

function formatTarget({ target, id }: SpendTarget): string {
  return `${target}:${id}`;
}

function parseSpend(text: string | null | undefined): Spend | undefined {
  return text === null || text === undefined ? undefined : JSON.parse(text);
}
