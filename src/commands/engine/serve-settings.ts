import { isIP } from 'node:net';
import * as Flags from '@oclif/core/flags';
import { oneOf, wholeNumber } from '../../cli/flags/flag-values.ts';
import type { Environment } from '../../cli/settings/directories.ts';
import { assertNoneEmpty } from '../../cli/settings/target.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import type { Subnet } from '../../engine/server/proxies.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** `name` is the flag or the variable; throws USAGE, which names it. */
type Read<T> = (given: string, name: string) => T;

const PORT = whole(0, 65_535);
const SETTINGS = {
  host: setting(
    'H',
    'The address to listen on; 0.0.0.0 and :: are open to other machines',
    host,
    '127.0.0.1',
  ),
  port: setting('N', 'The port; 0 takes a free one', PORT, '4650'),
  'metrics-port': setting('N', 'Answer GET /metrics, for Prometheus, on this port of the same address', PORT),
  'log-level': setting(
    LOG_LEVELS.join('|'),
    'Log to stderr from this level on; info where stderr is no terminal',
    (given, name) => oneOf(name, given, LOG_LEVELS),
  ),
  'rate-limit': setting('N', 'Answer 429 to a key past this many requests a second: 20 or 20/s', perSecond),
  'candidate-rate-limit': setting(
    'N',
    "Answer 429 to an address past this many requests a second on the candidates' side",
    perSecond,
    '100',
  ),
  'max-connections': setting('N', 'Maximum number of connections', whole(1, 1_000_000), '2000'),
  'header-timeout': setting('TIME', "Close a connection whose request's header takes longer", time(1), '15s'),
  'stop-delay': setting('TIME', 'Serve on for this long once told to stop, with /readyz 503', time(0), '0s'),
  'stop-timeout': setting('TIME', 'Let requests in flight take this long once told to stop', time(1), '10s'),
  'trust-proxy': setting(
    'CIDR',
    'Believe X-Forwarded-For, -Proto and -Host of these addresses; repeatable',
    subnets,
  ),
  'pool-size': setting('N', 'Hold up to this many connections to PostgreSQL', whole(1, 1_000)),
};

type Name = keyof typeof SETTINGS;
/** As the flags are called; undefined is only what has no default. */
export type ServeSettings = {
  readonly [N in Name]:
    | ReturnType<(typeof SETTINGS)[N]['read']>
    | ((typeof SETTINGS)[N]['byDefault'] extends string ? never : undefined);
};

const NAMES = Object.keys(SETTINGS) as Name[];

// As texts: what a flag does not say, the environment or the default does.
export const serveFlags = Object.fromEntries(NAMES.map((name) => [name, flagOf(name)]));

export const migrateFlag = { 'no-migrate': Flags.boolean({ description: 'Never migrate the database' }) };

/** What flags, then the environment, then the defaults say. Throws USAGE for a wrong value and an empty variable. */
export function serveSettings(flags: Readonly<Record<string, unknown>>, env: Environment): ServeSettings {
  assertNoneEmpty(env, NAMES.map(variableOf));
  const settings = NAMES.map((name) => {
    const { read, byDefault } = SETTINGS[name];
    const flag = flags[name] as string | string[] | undefined;
    const given = flag?.toString() ?? env[variableOf(name)] ?? byDefault;
    const source = flag === undefined ? variableOf(name) : `--${name}`;
    return [name, given === undefined ? undefined : read(given, source)];
  });
  return Object.fromEntries(settings) as ServeSettings;
}

function variableOf(name: Name): string {
  return `PARTNER_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`;
}

function flagOf(name: Name) {
  const { helpValue, description, byDefault } = SETTINGS[name];
  const about = byDefault === undefined ? description : `${description} (default ${byDefault})`;
  const flag = { helpValue, description: about };
  return name === 'trust-proxy' ? Flags.string({ ...flag, multiple: true }) : Flags.string(flag);
}

/** Node listens on every address where there is none. */
function host(given: string, name: string): string {
  if (given.trim() !== '') return given.trim();
  throw new PartnerError('USAGE', { message: `${name} takes an address to listen on, and is empty` });
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
    throw new PartnerError('USAGE', {
      message: `${name} takes a duration from ${minMs}ms to 1h, not \`${given}\``,
      hint: 'write it like 500ms, 30s or 2m',
    });
  };
}

/** An IPv4 or IPv6 address, or a network of them in CIDR notation; undefined for anything else. */
export function parseSubnet(text: string): Subnet | undefined {
  const [address = '', prefix, ...more] = text.trim().split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isWhole = more.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix));
  return isWhole && Number(prefix ?? 0) <= bits ? { address, prefix: Number(prefix ?? bits) } : undefined;
}

/** Separated by commas, as a variable has them. */
function subnets(given: string, name: string): Subnet[] {
  return given.split(',').map((text) => {
    const subnet = parseSubnet(text);
    if (subnet !== undefined) return subnet;
    throw new PartnerError('USAGE', {
      message: `${name} takes addresses of proxies, not \`${text}\``,
      hint: 'write one like 10.0.0.5, or a network like 10.0.0.0/8; several with commas',
    });
  });
}
