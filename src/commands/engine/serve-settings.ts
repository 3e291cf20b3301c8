import { isIP } from 'node:net';
import * as Flags from '@oclif/core/flags';
import { inGroup, parseChoiceFlag, switchFlag, wholeNumber } from '../../cli/flags/flag-values.ts';
import type { Environment } from '../../cli/settings/directories.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { assertNoneEmpty } from '../../cli/settings/target.ts';
import { PartnerError } from '../../contract/errors.ts';
import { parseDuration } from '../../contract/time.ts';
import type { Subnet } from '../../engine/server/proxies.ts';
import settings from './serve-settings.json' with { type: 'json' };

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Parses a value. Error messages contain `name`, which is a flag or a variable. Throws USAGE. */
type Read<T> = (given: string, name: string) => T;

const READERS = {
  host,
  port: whole(0, 65_535),
  'metrics-port': whole(0, 65_535),
  'log-level': (given: string, name: string) => parseChoiceFlag(name, given, LOG_LEVELS),
  'rate-limit': perSecond,
  'candidate-rate-limit': perSecond,
  'max-connections': whole(1, 1_000_000),
  'header-timeout': time(1),
  'stop-delay': time(0),
  'stop-timeout': time(1),
  'trust-proxy': subnets,
  'pool-size': whole(1, 1_000),
} satisfies Record<Name, Read<unknown>>;

type Name = keyof typeof settings;
type Setting = Record<'helpValue' | 'description', string> & { byDefault?: string; helpGroup?: string };
export type ServeSettings = {
  readonly [N in Name]:
    | ReturnType<(typeof READERS)[N]>
    | ((typeof settings)[N] extends { byDefault: string } ? never : undefined);
};

const SETTINGS: Readonly<Record<Name, Setting>> = settings;
const NAMES = Object.keys(SETTINGS) as Name[];

// Flag values stay strings, because `serveSettings` parses flags, variables and defaults in the same way.
export const serveFlags = Object.fromEntries(NAMES.map((name) => [name, buildFlag(name)]));

export const migrateFlag = inGroup('ADVANCED', {
  'no-migrate': switchFlag("Don't migrate the database"),
});

/** Throws USAGE for an invalid value or an empty variable. */
export function serveSettings(flags: Readonly<Record<string, unknown>>, env: Environment): ServeSettings {
  assertNoneEmpty(env, NAMES.map(getVariable));
  const values = NAMES.map((name) => {
    const flag = flags[name] as string | string[] | undefined;
    const given = flag?.toString() ?? env[getVariable(name)] ?? SETTINGS[name].byDefault;
    const source = flag === undefined ? getVariable(name) : `--${name}`;
    return [name, given === undefined ? undefined : READERS[name](given, source)];
  });
  return Object.fromEntries(values) as ServeSettings;
}

function getVariable(name: Name): string {
  return `PARTNER_ENGINE_${name.toUpperCase().replaceAll('-', '_')}`;
}

function buildFlag(name: Name) {
  const { byDefault, ...texts } = SETTINGS[name];
  const shown = { ...(byDefault === undefined ? {} : { default: byDefault }), env: getVariable(name) };
  const flag = { ...texts, shown };
  return name === 'trust-proxy' ? Flags.string({ ...flag, multiple: true }) : Flags.string(flag);
}

/** Without a host, Node.js would listen on all addresses. */
function host(given: string, name: string): string {
  if (given.trim() !== '') return given.trim();
  throw new PartnerError('USAGE', { message: `${name} must be an address to listen on, but it is empty` });
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
