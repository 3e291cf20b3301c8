import type { Connection } from '../../cli/connection/connection.ts';
import type { CliContext } from '../../cli/context.ts';
import { assertServesKey } from '../../cli/probe.ts';
import { configDirectory, dataPaths, directories, type Environment } from '../../cli/settings/directories.ts';
import { loadProfiles } from '../../cli/settings/profiles.ts';
import type { Target } from '../../cli/settings/target.ts';
import { counted } from '../../cli/terminal/words.ts';
import type { TraceEvent } from '../../client/client.ts';
import { ERRORS, PartnerError } from '../../contract/errors.ts';
import { PACKAGE } from '../../package.ts';
import type { CheckItem } from './checks-view.ts';
import { closeToOthers, type OpenToOthers, openToOthers } from './permissions.ts';

/** What `partner doctor` found; `exit` is set where it is not as it should be. */
export interface Check extends CheckItem {
  readonly exit?: number | undefined;
}

/** Clocks further apart than this make times and `Retry-After` dates misleading. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The machine's time, and the time by which durations are measured. */
export type Clocks = Pick<CliContext, 'clock' | 'monotonicNow'>;

/** The Node that runs this, against what the package asks for. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return {
    name: 'Node',
    ok,
    found: version,
    ...(ok ? {} : { advice: `install Node ${PACKAGE.engines.node}`, exit: ERRORS.UNEXPECTED.exit }),
  };
}

/** The configuration and the data: whether they can be read, and whether others can get at them, unless that is mended. */
export function fileChecks(env: Environment, isMending: boolean): Check[] {
  const where = directories(env);
  return [
    attempted('Configuration', () => {
      const directory = configDirectory(where);
      const profiles = () => counted(loadProfiles(directory).all.length, 'profile');
      return privacyOf(directory, isMending, () => `${directory}, ${profiles()}`);
    }),
    attempted('Files', () => {
      const { directory } = dataPaths(where);
      return privacyOf(directory, isMending, () => `${directory}, for you alone`);
    }),
  ];
}

function privacyOf(directory: string, isMending: boolean, inOrder: () => string): Look {
  const open = openToOthers(directory);
  if (isMending) for (const each of open) closeToOthers(each);
  const left = isMending ? openToOthers(directory) : open;
  if (left.length === 0)
    return { found: inOrder() + (open.length === 0 ? '' : `; closed to others: ${listed(open)}`) };
  return {
    found: `others can get at ${listed(left)}`,
    advice: isMending
      ? 'this user may not change that: have their owner run `partner doctor --fix`'
      : '`partner doctor --fix` takes the rights of others away',
    exit: ERRORS.CONFIG_UNREADABLE.exit,
  };
}

const LISTED_MAX = 3;

function listed(open: readonly OpenToOthers[]): string {
  const named = open.slice(0, LISTED_MAX).map(({ path, mode }) => `${path} (mode ${mode})`);
  return [...named, ...(open.length > LISTED_MAX ? [`${open.length - LISTED_MAX} more`] : [])].join(', ');
}

/** The server with the key, and its clock against ours. */
export async function serverChecks(
  targetOf: () => Promise<Target>,
  connectTo: (target: Target, onTrace: (event: TraceEvent) => void) => Promise<Connection>,
  { clock, monotonicNow }: Clocks,
): Promise<Check[]> {
  let serverTime: number | undefined;
  const listen = (event: TraceEvent): void => {
    if (event.kind === 'answer' && event.headers.date) serverTime = Date.parse(event.headers.date);
  };
  try {
    const target = await targetOf();
    const { client } = await connectTo(target, listen);
    const startedAt = monotonicNow();
    await assertServesKey(client);
    const where = target.kind === 'embedded' ? 'the bundled engine' : target.baseUrl;
    return [
      {
        name: 'Server',
        ok: true,
        found: `${where} took the key and answered in ${monotonicNow() - startedAt} ms`,
      },
      ...(serverTime === undefined ? [] : [clockCheck(serverTime - clock())]),
    ];
  } catch (error) {
    return [failed('Server', error)];
  }
}

/** A server's clock against ours. */
export function clockCheck(differenceMs: number): Check {
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  if (Math.abs(differenceMs) <= CLOCK_TOLERANCE_MS)
    return { name: 'Clock', ok: true, found: 'agrees with the server' };
  return {
    name: 'Clock',
    ok: false,
    found: `this machine is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the server`,
    advice: 'set the clock; `timedatectl` or the system settings do it',
    exit: ERRORS.UNEXPECTED.exit,
  };
}

type Look = Omit<Check, 'name' | 'ok'>;

function attempted(name: string, look: () => Look): Check {
  try {
    const seen = look();
    return { name, ok: seen.exit === undefined, ...seen };
  } catch (error) {
    return failed(name, error);
  }
}

/** The line of a look that threw. Throws on what is no PartnerError. */
export function failed(name: string, error: unknown): Check {
  if (!(error instanceof PartnerError)) throw error;
  // The table's own next step is this very command.
  const isCircular = error.code === 'UNREACHABLE' && error.hint === ERRORS.UNREACHABLE.next;
  const advice = isCircular ? 'check --base-url, the profile and the network' : error.hint;
  return { name, ok: false, found: error.message, advice, exit: error.exit };
}
