import type { ServerTraits } from '../../client/traits.ts';
import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { tried } from '../../contract/tried.ts';
import { isObject } from '../../contract/values.ts';
import { isKey } from './keys.ts';

export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string | undefined;
  /** What the server calls the search text of a location search, where it is not `q` (decision 4). */
  readonly locationQueryParameter?: string | undefined;
  /** `none` where the server has other limits than ours (decision 15). */
  readonly limits?: (typeof LIMIT_CHOICES)[number] | undefined;
  readonly allowInsecure?: boolean | undefined;
  /** The path of PEM certificates that are trusted besides those of Node. */
  readonly caFile?: string | undefined;
  readonly proxy?: string | undefined;
  /** For a whole call, where no `--timeout` is given. */
  readonly timeoutMs?: number | undefined;
  /** What the server was seen to do where the specification is silent; `doctor --remote` looks again. */
  readonly traits?: ServerTraits | undefined;
}

export const LIMIT_CHOICES = ['ours', 'none'] as const;

export interface Profiles {
  /** The profile that calls use unless another is named; undefined for the bundled engine. */
  readonly current: string | undefined;
  readonly all: readonly Profile[];
}

/** The config as it is stored. Unknown fields are kept: a newer version may know them. */
export interface Config {
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Omit<Profile, 'name'>>>;
}

/** As a profile's name: no profile, calls go to the bundled engine. */
export const BUNDLED = 'bundled';

/** Reads the config's text. A problem names the place in it and never the value: that may be a key. */
export function parseConfig(text: string): { readonly config: Config } | { readonly problem: string } {
  const value: unknown = tried(() => JSON.parse(text));
  if (value === undefined) return { problem: text.trim() === '' ? 'it is empty' : 'it is not JSON' };
  const problem = configProblem(value);
  return problem === undefined ? { config: { profiles: {}, ...(value as Partial<Config>) } } : { problem };
}

function configProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is no JSON object';
  const { current, profiles = {} } = value;
  if (!isObject(profiles)) return '`profiles` is no object';
  for (const [name, profile] of Object.entries(profiles)) {
    const problem = nameProblem(name) ?? profileProblem(profile);
    if (problem !== undefined) return `profile ${JSON.stringify(name)}: ${problem}`;
  }
  if (current === undefined) return undefined;
  const isKnown = typeof current === 'string' && Object.hasOwn(profiles, current);
  return isKnown ? undefined : '`current` names no profile';
}

export function nameProblem(name: string): string | undefined {
  if (name === BUNDLED) return `the name \`${BUNDLED}\` stands for the bundled engine`;
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) return undefined;
  return 'a name is 1 to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit';
}

export function unknownProfile(name: string, names: readonly string[]): PartnerError {
  const near = nearest(name, [...names, BUNDLED]);
  return new PartnerError('USAGE', {
    message: `there is no profile ${JSON.stringify(name)}`,
    hint: near === undefined ? '`partner auth list` shows the profiles' : `did you mean \`${near}\`?`,
  });
}

/** What each field of a profile must be; all but the base URL may be left out. */
const FIELDS: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, wanted: string]>> = {
  baseUrl: [isWebAddress, 'must be a web address'],
  key: [(value) => typeof value === 'string' && isKey(value), 'is no partner key'],
  locationQueryParameter: [
    (value) => typeof value === 'string' && /^[\w.[\]-]+$/.test(value),
    "must be a query parameter's name",
  ],
  limits: [(value) => LIMIT_CHOICES.some((choice) => choice === value), 'must be ours or none'],
  allowInsecure: [(value) => typeof value === 'boolean', 'must be true or false'],
  caFile: [(value) => typeof value === 'string' && value !== '', "must be a file's path"],
  proxy: [isWebAddress, "must be a proxy's address, like http://proxy.example.com:3128"],
  timeoutMs: [(value) => Number.isSafeInteger(value) && Number(value) > 0, 'must be milliseconds, 1 or more'],
  traits: [isObject, 'must be an object'],
};

/** What a field of a profile must be, where a value is not that; undefined where it is. */
export function profileFieldProblem(field: keyof Profile, value: unknown): string | undefined {
  const [isRight, wanted] = FIELDS[field] ?? [];
  return isRight === undefined || isRight(value) ? undefined : wanted;
}

function profileProblem(profile: unknown): string | undefined {
  if (!isObject(profile)) return 'it is no object';
  for (const field of Object.keys(FIELDS) as (keyof Profile)[]) {
    const value = profile[field];
    if (value === undefined && field !== 'baseUrl') continue;
    const problem = profileFieldProblem(field, value);
    if (problem !== undefined) return `\`${field}\` ${problem}`;
  }
  return undefined;
}

/** True for the whole address of something that speaks HTTP. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
