import { execFile } from 'node:child_process';
import { PartnerError } from '../../contract/errors.ts';
import { getErrorCode, getErrorReason } from '../../contract/system-errors.ts';
import { withoutPassword } from '../../text/outside-text.ts';
import type { Documents, SharedPlace } from './shared-state.ts';

/** Disables hooks and maintenance, and sets an author, because the user may not have one. */
const CONFIG = ['core.hooksPath=/dev/null', 'gc.auto=0', 'maintenance.auto=false', 'user.name=partner']
  .concat('user.email=partner@localhost')
  .flatMap((setting) => ['-c', setting]);
const PUSH = ['push', '--quiet', '--no-verify', '--no-signed', '--no-follow-tags', '--no-recurse-submodules'];
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];

/**
 * A branch (`git:BRANCH` or `git:BRANCH?remote=NAME`) of the repository in `directory`. Each write of a run replaces
 * the run's single commit on top of the branch's base. If nothing changed, the base is restored.
 */
export function gitBranch(name: string, directory: string, timeoutMs: number): SharedPlace {
  const [, branch, remote = 'origin'] = /^git:([^?]+)(?:\?remote=(\w[\w./-]*))?$/.exec(name) ?? [];
  if (branch === undefined)
    throw new PartnerError('USAGE', {
      message: `invalid state branch \`${name}\`. Use a name such as git:partner-state`,
    });
  const ref = `refs/heads/${branch}`;
  let base: { readonly commit: string; readonly tree: string } | undefined;

  const git = (args: readonly string[], input = '') =>
    new Promise<{ code: number | string; out: string; said: string }>((resolve) => {
      const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
      const options = { cwd: directory, env, timeout: timeoutMs, maxBuffer: 2 ** 30 };
      const child = execFile('git', [...CONFIG, ...args], options, (error, out, stderr) => {
        const late = error?.killed && `no response within ${timeoutMs / 1000} s`;
        const said = late || withoutPassword(stderr.trim() || String(error?.message)).replaceAll('\n', ' ');
        resolve({ code: error ? (error.code ?? 'killed') : 0, out, said });
      });
      child.stdin?.on('error', () => {}).end(input);
    });

  const unreachable = (said: string): PartnerError =>
    new PartnerError('STATE_UNREACHABLE', { message: `can't reach ${name} on ${remote}: ${said}` });

  const locally = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, out, said } = await git(args, input);
    if (code === 0) return out;
    const message = `can't use ${name}: ${code === 'ENOENT' ? "git isn't installed" : said}`;
    throw new PartnerError('STATE_UNUSABLE', { message, hint: 'run this in a clone of the repository' });
  };

  const findTip = async (): Promise<string | undefined> => {
    const { code, out, said } = await git(['ls-remote', remote, ref]);
    if (code !== 0) throw unreachable(said);
    const rows = out.split('\n').map((row) => row.split('\t'));
    return rows.find(([, listed]) => listed === ref)?.[0];
  };

  return {
    name,
    list: async () => [name],
    async read() {
      for (let [reads, said] = [0, '']; ; reads++) {
        const version = await findTip();
        base = undefined;
        if (version === undefined) return { version, documents: {} };
        const tree = await git(['rev-parse', '--verify', '--quiet', `${version}^{tree}`]);
        if (tree.code === 0) {
          base = { commit: version, tree: tree.out };
          const entries = (await locally(['ls-tree', version])).matchAll(/^\d+ blob (\w+)\t(.+)$/gm);
          const documents: Record<string, string> = {};
          for (const [, blob = '', file = ''] of entries)
            documents[file] = await locally(['cat-file', 'blob', blob]);
          return { version, documents };
        }
        if (reads === 10) throw unreachable(said);
        // A shallow fetch would turn a full repository into a shallow one.
        const isShallow = (await locally(['rev-parse', '--is-shallow-repository'])) === 'true\n';
        // The fetch fails too if another process fetches at the same time, or if the branch has changed.
        const how = isShallow ? ['--depth=1'] : [];
        said = (await git([...FETCH, ...how, remote, `+${ref}:refs/partner/${branch}`])).said;
      }
    },
    async replace(version, documents, summary) {
      let entries = '';
      for (const [file, text] of Object.entries(documents)) {
        if (text === undefined) continue;
        entries += `100644 blob ${(await locally(['hash-object', '-w', '--stdin'], text)).trim()}\t${file}\n`;
      }
      const tree = await locally(['mktree'], entries);
      const on = base === undefined ? [] : ['-p', base.commit];
      const isUnchanged = tree === base?.tree;
      const made = isUnchanged
        ? base?.commit
        : await locally(['commit-tree', tree.trim(), ...on, '-m', summary]);
      const commit = made?.trim();
      const lease = `--force-with-lease=${ref}:${version ?? ''}`;
      const { code, said } = await git([...PUSH, lease, remote, `${commit}:${ref}`]);
      const tip = code === 0 ? commit : await findTip();
      if (tip !== commit && tip === version) throw unreachable(said);
      return tip === commit ? tip : undefined;
    },
  };
}

const UNDEFINED_TABLE = '42P01';

/** Uses an advisory lock, because one of two simultaneous CREATE TABLE statements fails. */
const TABLE = `begin; select pg_advisory_xact_lock(hashtext('partner_states'));
  create table if not exists partner_states (name text primary key, version bigint not null,
    changed_at timestamptz not null, documents json not null); commit`;
const READ = `select version, documents, extract(epoch from clock_timestamp() - changed_at) * 1000 as idle
  from partner_states where name = $1`;
const INSERT = `insert into partner_states (name, documents, version, changed_at)
  values ($1, $2, 1, clock_timestamp()) on conflict do nothing returning version`;
const UPDATE = `update partner_states set version = version + 1, changed_at = clock_timestamp(), documents = $2
  where name = $1 and version = $3 returning version`;

const NAMES = `select name from partner_states where documents::text <> '{}' order by name`;

type Row = { name: string; version: string; documents: Documents; idle: string };

/** A row of the table `partner_states`, for `postgres://…` with an optional `?state=NAME`. */
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
      if (getErrorCode(cause) === UNDEFINED_TABLE) return [];
      const message = `can't reach ${name}: ${withoutPassword(getErrorReason(cause))}`;
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
    async list() {
      return (await rows(NAMES)).map((row) => {
        const other = new URL(url);
        other.searchParams.set('state', row.name);
        return other.href;
      });
    },
    async replace(version, documents) {
      if (version === undefined) await rows(TABLE);
      const values = [state, JSON.stringify(documents), ...(version === undefined ? [] : [version])];
      return (await rows(version === undefined ? INSERT : UPDATE, values))[0]?.version;
    },
  };
}
