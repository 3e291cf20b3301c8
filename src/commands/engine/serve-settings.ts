import { isIP } from 'node:net';
import * as Flags from '@oclif/core/flags';
import { inGroup, parseChoiceFlag, switchFlag, wholeNumber } from '../../cli/flags/flag-values.ts';
import type { Environment } from '../../cli/settings/directories.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { assertNoneEmpty } from '../../cli/settings/target.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import type { Subnet } from '../../engine/server/proxies.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Parses a value. Error messages contain `name`, which is a flag or a variable. Throws USAGE. */
type Read<T> = (given: string, name: string) => T;

const PORT = whole(0, 65_535);
const SETTINGS = {
  host: setting('H', 'Address to listen on (0.0.0.0 and :: accept other machines)', host, '127.0.0.1'),
  port: setting('N', 'Port (0 picks a free one)', PORT, '4650'),
  'metrics-port': setting('N', 'Port for Prometheus metrics (GET /metrics) on the same address', PORT),
  'log-level': setting(
    LOG_LEVELS.join('|'),
    "Minimum log level (info if stderr isn't a terminal)",
    (given, name) => parseChoiceFlag(name, given, LOG_LEVELS),
  ),
  'rate-limit': setting(
    'N',
    'Maximum request rate per key, such as 20/s (excess requests get 429)',
    perSecond,
  ),
  'candidate-rate-limit': setting(
    'N',
    'Maximum candidate API requests per second and IP address (excess requests get 429)',
    perSecond,
    '100',
  ),
  'max-connections': setting('N', 'Maximum number of open connections', whole(1, 1_000_000), '2000'),
  'header-timeout': setting('TIME', 'Maximum time to receive request headers', time(1), '15s'),
  'stop-delay': setting(
    'TIME',
    'Time to keep serving after a stop signal (/readyz returns 503)',
    time(0),
    '0s',
  ),
  'stop-timeout': setting(
    'TIME',
    'Maximum time to wait for in-flight requests when stopping',
    time(1),
    '10s',
  ),
  'trust-proxy': setting(
    'CIDR',
    'Trust X-Forwarded-For, -Proto and -Host headers from these addresses',
    subnets,
  ),
  'pool-size': setting('N', 'Maximum number of PostgreSQL connections', whole(1, 1_000)),
};

type Name = keyof typeof SETTINGS;
export type ServeSettings = {
  readonly [N in Name]:
    | ReturnType<(typeof SETTINGS)[N]['read']>
    | ((typeof SETTINGS)[N]['byDefault'] extends string ? never : undefined);
};

const NAMES = Object.keys(SETTINGS) as Name[];
/** Flags that help lists first. The others are listed under ADVANCED FLAGS. */
const FIRST: readonly Name[] = ['host', 'port', 'metrics-port', 'log-level', 'rate-limit'];

// Flag values stay strings, because `serveSettings` parses flags, variables and defaults in the same way.
export const serveFlags = Object.fromEntries(NAMES.map((name) => [name, buildFlag(name)]));

export const migrateFlag = inGroup('ADVANCED', {
  'no-migrate': switchFlag("Don't migrate the database"),
});

/** Throws USAGE for an invalid value or an empty variable. */
export function serveSettings(flags: Readonly<Record<string, unknown>>, env: Environment): ServeSettings {
  assertNoneEmpty(env, NAMES.map(getVariable));
  const settings = NAMES.map((name) => {
    const { read, byDefault } = SETTINGS[name];
    const flag = flags[name] as string | string[] | undefined;
    const given = flag?.toString() ?? env[getVariable(name)] ?? byDefault;
    const source = flag === undefined ? getVariable(name) : `--${name}`;
    return [name, given === undefined ? undefined : read(given, source)];
  });
  return Object.fromEntries(settings) as ServeSettings;
}

function getVariable(name: Name): string {
  return `PARTNER_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`;
}

function buildFlag(name: Name) {
  const { helpValue, description, byDefault } = SETTINGS[name];
  const helpGroup = FIRST.includes(name) ? undefined : 'ADVANCED';
  const shown = { ...(byDefault === undefined ? {} : { default: byDefault }), env: getVariable(name) };
  const flag = { helpValue, description, shown, ...(helpGroup && { helpGroup }) };
  return name === 'trust-proxy' ? Flags.string({ ...flag, multiple: true }) : Flags.string(flag);
}

/** Without a host, Node.js would listen on all addresses. */
function host(given: string, name: string): string {
  if (given.trim() !== '') return given.trim();
  throw new PartnerError('USAGE', { message: `${name} must be an address to listen on, but it is empty` });
}

function setting<T, D extends string | undefined = undefined>(
  helpValue: string,
  description: string,
  read: Read<T>,
  byDefault?: D,
) {
  return { helpValue, description, read, byDefault: byDefault as D };
}

function whole(min: number, max: number): Read<number> {
  return (given, name) => wholeNumber(name, given, { min, max });
}

function perSecond(given: string, name: string): number {
  return wholeNumber(name, given.replace(/\/s$/, ''), { min: 1 });
}

const HOUR_MS = 3_600_000;

function time(minMs: number): Read<number> {
  return (given, name) => {
    const timeMs = given.trim() === '0' ? 0 : parseDuration(given);
    if (timeMs !== undefined && timeMs >= minMs && timeMs <= HOUR_MS) return timeMs;
    const wanted = `a duration from ${minMs}ms to 1h`;
    throw createValueError(name, wanted, given, 'use a format such as 500ms, 30s or 2m');
  };
}

export function parseSubnet(text: string): Subnet | undefined {
  const [address = '', prefix, ...more] = text.trim().split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isWhole = more.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix));
  return isWhole && Number(prefix ?? 0) <= bits ? { address, prefix: Number(prefix ?? bits) } : undefined;
}

function subnets(given: string, name: string): Subnet[] {
  return given.split(',').map((text) => {
    const subnet = parseSubnet(text);
    if (subnet !== undefined) return subnet;
    const hint =
      'use an address such as 10.0.0.5 or a network such as 10.0.0.0/8. Separate several with commas';
    throw createValueError(name, 'IP addresses of proxies', text, hint);
  });
}
