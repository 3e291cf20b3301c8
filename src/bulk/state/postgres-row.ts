import { PartnerError } from '../../contract/errors.ts';
import { withoutPassword } from '../../contract/outside-text.ts';
import { codeOf, reasonOf } from '../../contract/system-errors.ts';
import type { Documents, SharedPlace } from './shared-state.ts';

const UNDEFINED_TABLE = '42P01';

/** Under a lock, as two processes that create a table at once get an error. */
const TABLE = `begin; select pg_advisory_xact_lock(hashtext('partner_states'));
  create table if not exists partner_states (name text primary key, version bigint not null,
    changed_at timestamptz not null, documents json not null); commit`;
const READ = `select version, documents, extract(epoch from clock_timestamp() - changed_at) * 1000 as idle
  from partner_states where name = $1`;
const INSERT = `insert into partner_states (name, documents, version, changed_at)
  values ($1, $2, 1, clock_timestamp()) on conflict do nothing returning version`;
const UPDATE = `update partner_states set version = version + 1, changed_at = clock_timestamp(), documents = $2
  where name = $1 and version = $3 returning version`;

type Row = { version: string; documents: Documents; idle: string };

/** `postgres://…`, with the name of the state as `?state=NAME`: a row of the table `partner_states`. */
export function postgresRow(given: string, timeoutMs: number): SharedPlace {
  const name = withoutPassword(given);
  if (!URL.canParse(given)) throw new PartnerError('USAGE', { message: `${name} isn't a URL` });
  const url = new URL(given);
  const state = url.searchParams.get('state') || 'default';
  url.searchParams.delete('state');

  const rows = async (statement: string, values?: unknown[]): Promise<Row[]> => {
    const { Client } = await import('pg');
    const limits = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
    const client = new Client({ connectionString: url.href, application_name: 'partner', ...limits });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(statement, values)).rows;
    } catch (cause) {
      if (codeOf(cause) === UNDEFINED_TABLE) return [];
      const message = `Can't reach ${name}: ${withoutPassword(reasonOf(cause))}`;
      throw new PartnerError('STATE_UNREACHABLE', { message, cause });
    } finally {
      void client.end().catch(() => {});
    }
  };

  return {
    name,
    async read() {
      const [row] = await rows(READ, [state]);
      if (row === undefined) return { version: undefined, documents: {} };
      return { version: String(row.version), documents: row.documents, idleMs: Number(row.idle) };
    },
    async replace(version, documents) {
      if (version === undefined) await rows(TABLE);
      const values = [state, JSON.stringify(documents), ...(version === undefined ? [] : [version])];
      return (await rows(version === undefined ? INSERT : UPDATE, values))[0]?.version;
    },
  };
}
