import type { Connection } from '../../cli/connection/connection.ts';
import type { CliContext } from '../../cli/context.ts';
import { assertServesKey } from '../../cli/probe.ts';
import type { Target } from '../../cli/settings/target.ts';
import { paragraph } from '../../cli/terminal/blocks.ts';
import { clean } from '../../cli/terminal/clean.ts';
import type { View } from '../../cli/terminal/view.ts';
import type { TraceEvent } from '../../client/client.ts';
import { ERRORS, PartnerError } from '../../contract/errors.ts';
import { PACKAGE } from '../../package.ts';

/** One thing that `partner doctor` looked at; `exit` is set where it is not as it should be. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly advice?: string | undefined;
  readonly exit?: number | undefined;
}

/** What a look gave, before it has its line. */
export type Look = Omit<Check, 'name' | 'ok'>;

/** The machine's time, and the time by which durations are measured. */
export type Clocks = Pick<CliContext, 'clock' | 'monotonicNow'>;

/** One line a check, and what to do below those that failed. */
export function checkLines(checks: readonly Check[], view: View): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, ok, found, advice }) => {
      const sign = ok ? view.paint('green', '✓') : view.paint('red', '✗');
      const next =
        advice === undefined ? '' : paragraph(`  ${view.paint('dim', '→')} ${clean(advice)}`, view);
      return paragraph(`${sign} ${name.padEnd(width)}  ${clean(found)}`, view) + next;
    })
    .join('');
}

/** The Node that runs this, against what the package asks for. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const advice = `install Node ${PACKAGE.engines.node}`;
  return { name: 'Node', ok, found: version, ...(ok ? {} : { advice, exit: ERRORS.UNEXPECTED.exit }) };
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
    const found = `${where} took the key and answered in ${monotonicNow() - startedAt} ms`;
    const clocks = serverTime === undefined ? [] : [clockCheck(serverTime - clock())];
    return [{ name: 'Server', ok: true, found }, ...clocks];
  } catch (error) {
    return [failedCheck('Server', error)];
  }
}

/** Clocks further apart than this make times and `Retry-After` dates misleading. */
const CLOCK_TOLERANCE_MS = 60_000;

/** A server's clock against ours. */
export function clockCheck(differenceMs: number): Check {
  if (Math.abs(differenceMs) <= CLOCK_TOLERANCE_MS)
    return { name: 'Clock', ok: true, found: 'agrees with the server' };
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  return {
    name: 'Clock',
    ok: false,
    found: `this machine is ${seconds} s ${differenceMs > 0 ? 'behind' : 'ahead of'} the server`,
    advice: 'set the clock; `timedatectl` or the system settings do it',
    exit: ERRORS.UNEXPECTED.exit,
  };
}

/** The line of a look that threw. Throws on what is no PartnerError. */
export function failedCheck(name: string, error: unknown): Check {
  if (!(error instanceof PartnerError)) throw error;
  // The table's own next step is this very command.
  const isCircular = error.code === 'UNREACHABLE' && error.hint === ERRORS.UNREACHABLE.next;
  const advice = isCircular ? 'check --base-url, the profile and the network' : error.hint;
  return { name, ok: false, found: error.message, advice, exit: error.exit };
}
