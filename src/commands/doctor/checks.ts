import { chmodSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../../cli/connection/connect.ts';
import { engineDatabase } from '../../cli/connection/engine-database.ts';
import { assertServesKey } from '../../cli/probe.ts';
import { configDirectory, dataPaths, directories, type Environment } from '../../cli/settings/directories.ts';
import { loadProfiles } from '../../cli/settings/profiles.ts';
import type { Target } from '../../cli/settings/target.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { clean, paragraph, type View } from '../../cli/terminal/view.ts';
import type { TraceEvent } from '../../client/client.ts';
import { ERRORS, PartnerError } from '../../contract/errors.ts';
import { attempt } from '../../contract/system-errors.ts';
import { formatCount } from '../../contract/words.ts';
import { findEntry } from '../../files/own-file.ts';
import { PACKAGE } from '../../package.ts';

export interface Check {
  readonly name: string;
  readonly found: string;
  readonly advice?: string | undefined;
  /** Exit code. Set only if the check failed. */
  readonly exit?: number | undefined;
}

/** Result of a check. A string means that it passed without advice. */
export type Look = string | Omit<Check, 'name'>;

export function checkLines(checks: readonly Check[], view: View): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, found, advice, exit }) => {
      const sign = exit === undefined ? view.paint('green', '✓') : view.paint('red', '✗');
      const next =
        advice === undefined ? '' : paragraph(`  ${view.paint('dim', '→')} ${clean(advice)}`, view);
      return paragraph(`${sign} ${name.padEnd(width)}  ${clean(found)}`, view) + next;
    })
    .join('');
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const check = { name: 'Node', found: version };
  if (major > 20 || (major === 20 && minor >= 19)) return check;
  return { ...check, advice: `install Node ${PACKAGE.engines.node}`, exit: ERRORS.UNEXPECTED.exit };
}

export async function serverChecks(
  context: CliContext,
  targetOf: () => Promise<Target>,
  connectTo: (target: Target, onTrace: (event: TraceEvent) => void) => Promise<Connection>,
): Promise<Check[]> {
  const { clock, monotonicNow } = context;
  let serverTime: number | undefined;
  const database: Check[] = [];
  const listen = (event: TraceEvent): void => {
    if (event.kind === 'answer' && event.headers.date) serverTime = Date.parse(event.headers.date);
  };
  const server = await runCheck('Server', async () => {
    const target = await targetOf();
    const isBundled = target.kind === 'embedded';
    const schema = isBundled ? await (await engineDatabase(context)).schemaFound() : undefined;
    if (schema !== undefined) database.push({ name: 'Database', found: schema });
    const { client } = await connectTo(target, listen);
    const startedAt = monotonicNow();
    await assertServesKey(client);
    const where = isBundled ? 'the bundled engine' : target.baseUrl;
    return `${where} accepted the key and responded in ${monotonicNow() - startedAt} ms`;
  });
  if (serverTime === undefined || server.exit !== undefined) return [...database, server];
  return [...database, server, clockCheck(serverTime - clock())];
}

/** A larger difference makes times and `Retry-After` dates misleading. */
const CLOCK_TOLERANCE_MS = 60_000;

export function clockCheck(differenceMs: number): Check {
  if (Math.abs(differenceMs) <= CLOCK_TOLERANCE_MS) return { name: 'Clock', found: 'matches the server' };
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  return {
    name: 'Clock',
    found: `this machine is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the server`,
    advice: 'set the clock with `timedatectl` or in the system settings',
    exit: ERRORS.UNEXPECTED.exit,
  };
}

/** Turns an error into a failed check. Throws INTERRUPTED and anything that isn't a PartnerError. */
export async function runCheck(name: string, look: () => Promise<Look> | Look): Promise<Check> {
  try {
    const found = await look();
    return typeof found === 'string' ? { name, found } : { name, ...found };
  } catch (error) {
    if (error instanceof PartnerError && error.code === 'INTERRUPTED') throw error;
    return toFailedCheck(name, error);
  }
}

export function toFailedCheck(name: string, error: unknown): Check {
  if (!(error instanceof PartnerError)) throw error;
  // The default hint is to run `partner doctor`, which is running now.
  const isCircular = error.code === 'UNREACHABLE' && error.hint === ERRORS.UNREACHABLE.next;
  const advice = isCircular ? 'check --base-url, the profile and the network' : error.hint;
  return { name, found: error.message, advice, exit: error.exit };
}

export async function fileChecks(env: Environment, isMending: boolean): Promise<Check[]> {
  const where = directories(env);
  return [
    await runCheck('Configuration', () => {
      const directory = configDirectory(where);
      const countProfiles = () => formatCount(loadProfiles(directory).all.length, 'profile');
      return checkPrivacy(directory, isMending, () => `${directory}, ${countProfiles()}`);
    }),
    await runCheck('Files', () => {
      const { directory } = dataPaths(where);
      return checkPrivacy(directory, isMending, () => `${directory}, only readable by you`);
    }),
  ];
}

function checkPrivacy(directory: string, isMending: boolean, inOrder: () => string): Look {
  const open = openToOthers(directory);
  if (isMending) for (const each of open) closeToOthers(each);
  const left = isMending ? openToOthers(directory) : open;
  if (left.length === 0)
    return inOrder() + (open.length === 0 ? '' : `. Removed other users' access to ${formatPaths(open)}`);
  return {
    found: `other users can access ${formatPaths(left)}`,
    advice: isMending
      ? "you can't change their permissions. Ask their owner to run `partner doctor --fix`"
      : "remove other users' access with `partner doctor --fix`",
    exit: ERRORS.CONFIG_UNREADABLE.exit,
  };
}

const LISTED_MAX = 3;

function formatPaths(open: readonly OpenToOthers[]): string {
  const named = open.slice(0, LISTED_MAX).map(({ path, mode }) => `${path} (mode ${mode})`);
  return [...named, ...(open.length > LISTED_MAX ? [`${open.length - LISTED_MAX} more`] : [])].join(', ');
}

type OpenToOthers = ReturnType<typeof openToOthers>[number];

const NAMES = /^(?:config\.json|ledger\.ndjson|places\.json|form\.json|engine|\.lock|\..+\.new)$/;
const ENGINE_NAMES = /^(?:key|partner\.db.*|\..+\.new)$/;
const FOR_OTHERS = 0o077;

export function openToOthers(directory: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32') return [];
  const engine = join(directory, 'engine');
  const paths = [
    ...listOwnEntries(directory, NAMES),
    ...listOwnEntries(engine, ENGINE_NAMES),
    ...listOwnEntries(join(engine, 'partner.db-files'), /./),
  ];
  return [...new Set(paths)].flatMap((path) => {
    const mode = (readStats(path)?.mode ?? 0) & 0o777;
    return (mode & FOR_OTHERS) === 0 ? [] : [{ path, mode: mode.toString(8).padStart(4, '0') }];
  });
}

export function closeToOthers({ path, mode }: OpenToOthers): void {
  // Ignores errors, because the file may belong to another user.
  attempt(() => chmodSync(path, Number.parseInt(mode, 8) & ~FOR_OTHERS));
}

/** Includes the directory only if the CLI owns all of its entries, because other files may be shared on purpose. */
function listOwnEntries(directory: string, names: RegExp): string[] {
  // Ignores errors, because the directory may be missing or unreadable.
  const found = attempt(() => readdirSync(directory)) ?? [];
  const own = found.filter((name) => names.test(name));
  return [...(own.length === found.length ? [directory] : []), ...own.map((name) => join(directory, name))];
}

/** Follows links to directories only, because the CLI never creates links to files. */
function readStats(path: string): Stats | undefined {
  const found = findEntry(path);
  if (!found?.isSymbolicLink()) return found;
  const target = statSync(path, { throwIfNoEntry: false });
  return target?.isDirectory() ? target : undefined;
}
