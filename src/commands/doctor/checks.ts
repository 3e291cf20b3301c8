import type { Connection } from '../../cli/connection/connect.ts';
import { assertServesKey } from '../../cli/probe.ts';
import type { Target } from '../../cli/settings/target.ts';
import type { CliContext } from '../../cli/terminal/streams.ts';
import { clean, paragraph, type View } from '../../cli/terminal/view.ts';
import type { TraceEvent } from '../../client/client.ts';
import { ERRORS, PartnerError } from '../../contract/errors.ts';
import { PACKAGE } from '../../package.ts';

/** What was found of one thing; `exit` is set where it is not as it should be. */
export interface Look {
  readonly found: string;
  readonly advice?: string | undefined;
  readonly exit?: number | undefined;
}

export type Check = Look & { readonly name: string };

/** The machine's time, and the time by which durations are measured. */
export type Clocks = Pick<CliContext, 'clock' | 'monotonicNow'>;

/** One line a check, and what to do below those that failed. */
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

/** The Node that runs this, against what the package asks for. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const check = { name: 'Node', found: version };
  if (major > 20 || (major === 20 && minor >= 19)) return check;
  return { ...check, advice: `install Node ${PACKAGE.engines.node}`, exit: ERRORS.UNEXPECTED.exit };
}

/** Checks the server, the key and the clock and, on the bundled engine, the database's schema. */
export async function serverChecks(
  targetOf: () => Promise<Target>,
  schemaFound: () => Promise<string>,
  connectTo: (target: Target, onTrace: (event: TraceEvent) => void) => Promise<Connection>,
  { clock, monotonicNow }: Clocks,
): Promise<Check[]> {
  let serverTime: number | undefined;
  const database: Check[] = [];
  const listen = (event: TraceEvent): void => {
    if (event.kind === 'answer' && event.headers.date) serverTime = Date.parse(event.headers.date);
  };
  const server = await checkOf('Server', async () => {
    const target = await targetOf();
    if (target.kind === 'embedded') database.push({ name: 'Database', found: await schemaFound() });
    const { client } = await connectTo(target, listen);
    const startedAt = monotonicNow();
    await assertServesKey(client);
    const where = target.kind === 'embedded' ? 'the bundled engine' : target.baseUrl;
    return { found: `${where} took the key and answered in ${monotonicNow() - startedAt} ms` };
  });
  if (serverTime === undefined || server.exit !== undefined) return [...database, server];
  return [...database, server, clockCheck(serverTime - clock())];
}

/** Clocks further apart than this make times and `Retry-After` dates misleading. */
const CLOCK_TOLERANCE_MS = 60_000;

export function clockCheck(differenceMs: number): Check {
  if (Math.abs(differenceMs) <= CLOCK_TOLERANCE_MS) return { name: 'Clock', found: 'agrees with the server' };
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  return {
    name: 'Clock',
    found: `this machine is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the server`,
    advice: 'set the clock; `timedatectl` or the system settings do it',
    exit: ERRORS.UNEXPECTED.exit,
  };
}

/** Looks at one thing; an error becomes its line. Throws INTERRUPTED, and what is no PartnerError. */
export async function checkOf(name: string, look: () => Promise<Look> | Look): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    if (error instanceof PartnerError && error.code === 'INTERRUPTED') throw error;
    return failedCheck(name, error);
  }
}

export function failedCheck(name: string, error: unknown): Check {
  if (!(error instanceof PartnerError)) throw error;
  // The table's own next step is this very command.
  const isCircular = error.code === 'UNREACHABLE' && error.hint === ERRORS.UNREACHABLE.next;
  const advice = isCircular ? 'check --base-url, the profile and the network' : error.hint;
  return { name, found: error.message, advice, exit: error.exit };
}
