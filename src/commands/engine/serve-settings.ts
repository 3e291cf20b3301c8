import { isIP } from 'node:net';
import * as Flags from '@oclif/core/flags';
import { oneOf, wholeNumber } from '../../cli/flags/flag-values.ts';
import type { Environment } from '../../cli/settings/directories.ts';
import { assertNoneEmpty } from '../../cli/settings/target.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import type { Subnet } from '../../engine/server/proxies.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

interface Setting<T> {
  readonly helpValue: string;
  readonly description: string;
  readonly default?: string;
  /** `name` is the flag or the variable; throws USAGE, which names it. */
  readonly read: (given: string, name: string) => T;
}

const HOUR_MS = 3_600_000;

const SETTINGS = {
  host: {
    helpValue: 'H',
    description: 'The address to listen on; 0.0.0.0 and :: are open to other machines',
    default: '127.0.0.1',
    read: host,
  },
  port: { ...port('The port; 0 takes a free one'), default: '4650' },
  'metrics-port': port('Answer GET /metrics, for Prometheus, on this port of the same address'),
  'log-level': {
    helpValue: LOG_LEVELS.join('|'),
    description: 'Log to stderr from this level on; info where stderr is no terminal',
    read: (given, name) => oneOf(name, given, LOG_LEVELS),
  },
  'rate-limit': perSecond('Answer 429 to a key past this many requests a second: 20 or 20/s'),
  'candidate-rate-limit': {
    ...perSecond("Answer 429 to an address past this many requests a second on the candidates' side"),
    default: '100',
  },
  'max-connections': {
    helpValue: 'N',
    description: 'Refuse connections past this many',
    default: '2000',
    read: (given, name) => wholeNumber(name, given, { min: 1, max: 1_000_000 }),
  },
  'header-timeout': {
    ...time("Close a connection whose request's header takes longer", 1),
    default: '15s',
  },
  'stop-delay': { ...time('Serve on for this long once told to stop, with /readyz 503', 0), default: '0s' },
  'stop-timeout': { ...time('Let requests in flight take this long once told to stop', 1), default: '10s' },
  'trust-proxy': {
    helpValue: 'CIDR',
    description: 'Believe X-Forwarded-For, -Proto and -Host of these addresses; repeatable',
    read: subnets,
  },
  'pool-size': {
    helpValue: 'N',
    description: 'Hold up to this many connections to PostgreSQL',
    read: (given, name) => wholeNumber(name, given, { min: 1, max: 1_000 }),
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

type Name = keyof typeof SETTINGS;
type Read<N extends Name> = ReturnType<(typeof SETTINGS)[N]['read']>;
/** As the flags are called; undefined is only what has no default. */
export type ServeSettings = {
  readonly [N in Name]: Read<N> | ((typeof SETTINGS)[N] extends { default: string } ? never : undefined);
};

const NAMES = Object.keys(SETTINGS) as Name[];

// As texts: what a flag does not say, the environment or the default does.
export const serveFlags = Object.fromEntries(NAMES.map((name) => [name, flagOf(name)]));

/** What flags, then the environment, then the defaults say. Throws USAGE for a wrong value and an empty variable. */
export function serveSettings(flags: Readonly<Record<string, unknown>>, env: Environment): ServeSettings {
  assertNoneEmpty(env, NAMES.map(variableOf));
  const settings = NAMES.map((name) => {
    const { read, default: byDefault }: Setting<unknown> = SETTINGS[name];
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
  const { helpValue, description, default: byDefault }: Setting<unknown> = SETTINGS[name];
  const about = byDefault === undefined ? description : `${description} (default ${byDefault})`;
  const flag = { helpValue, description: about };
  return name === 'trust-proxy' ? Flags.string({ ...flag, multiple: true }) : Flags.string(flag);
}

/** Node listens on every address where there is none. */
function host(given: string, name: string): string {
  if (given.trim() !== '') return given.trim();
  throw new PartnerError('USAGE', { message: `${name} takes an address to listen on, and is empty` });
}

function port(description: string) {
  const read = (given: string, name: string) => wholeNumber(name, given, { min: 0, max: 65_535 });
  return { helpValue: 'N', description, read };
}

function perSecond(description: string) {
  const read = (given: string, name: string) => wholeNumber(name, given.replace(/\/s$/, ''), { min: 1 });
  return { helpValue: 'N', description, read };
}

function time(description: string, minMs: number) {
  const read = (given: string, name: string): number => {
    const timeMs = given.trim() === '0' ? 0 : parseDuration(given);
    if (timeMs !== undefined && timeMs >= minMs && timeMs <= HOUR_MS) return timeMs;
    throw new PartnerError('USAGE', {
      message: `${name} takes a duration from ${minMs}ms to 1h, not \`${given}\``,
      hint: 'write it like 500ms, 30s or 2m',
    });
  };
  return { helpValue: 'TIME', description, read };
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
