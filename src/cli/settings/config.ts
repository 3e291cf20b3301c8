import { readFileSync } from 'node:fs';
import type { ServerTraits } from '../../client/traits.ts';
import { PartnerError } from '../../contract/errors.ts';
import { attempt, getErrorReason, translateErrors } from '../../contract/system-errors.ts';
import { isObject } from '../../contract/values.ts';
import { nearest } from '../../text/nearest.ts';

export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  readonly key?: string | undefined;
  readonly locationQueryParameter?: string | undefined;
  /** `none` if the server has other limits (decision 15). */
  readonly limits?: (typeof LIMIT_CHOICES)[number] | undefined;
  readonly allowInsecure?: boolean | undefined;
  readonly caFile?: string | undefined;
  readonly proxy?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Detected server behavior. `doctor --remote` checks it again. */
  readonly traits?: ServerTraits | undefined;
}

export const LIMIT_CHOICES = ['ours', 'none'] as const;

export interface Profiles {
  readonly current: string | undefined;
  readonly all: readonly Profile[];
}

/** Keeps unknown fields, because a newer version may use them. */
export interface Config {
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Omit<Profile, 'name'>>>;
}

export const BUNDLED = 'bundled';

/** Returns the problem with a config. The message contains no field values, because they may be keys. */
export function configProblem(text: string): string | undefined {
  const value: unknown = attempt(() => JSON.parse(text));
  if (value === undefined) return text.trim() === '' ? 'it is empty' : "it isn't JSON";
  if (!isObject(value)) return "it isn't a JSON object";
  const { current, profiles = {} } = value;
  if (!isObject(profiles)) return "`profiles` isn't an object";
  for (const [name, profile] of Object.entries(profiles)) {
    const problem = nameProblem(name) ?? profileProblem(profile);
    if (problem !== undefined) return `profile ${JSON.stringify(name)}: ${problem}`;
  }
  if (current === undefined) return undefined;
  const isKnown = typeof current === 'string' && Object.hasOwn(profiles, current);
  return isKnown ? undefined : "`current` isn't the name of a profile";
}

export function nameProblem(name: string): string | undefined {
  if (name === BUNDLED) return `the name \`${BUNDLED}\` is reserved for the bundled engine`;
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name)) return undefined;
  return 'a name must be 1 to 64 letters, digits, dots, dashes or underscores, and start with a letter or digit';
}

export function unknownProfile(name: string, names: readonly string[]): PartnerError {
  const near = nearest(name, [...names, BUNDLED]);
  return new PartnerError('USAGE', {
    message: `unknown profile ${JSON.stringify(name)}`,
    hint: near === undefined ? '`partner auth list` shows the profiles' : `did you mean \`${near}\`?`,
  });
}

const FIELDS: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, wanted: string]>> = {
  baseUrl: [isWebAddress, 'must be a URL that starts with https:// or http://'],
  key: [(value) => typeof value === 'string' && isKey(value), "isn't a partner key"],
  locationQueryParameter: [
    (value) => typeof value === 'string' && /^[\w.[\]-]+$/.test(value),
    'must be the name of a query parameter',
  ],
  limits: [(value) => LIMIT_CHOICES.some((choice) => choice === value), 'must be ours or none'],
  allowInsecure: [(value) => typeof value === 'boolean', 'must be true or false'],
  caFile: [(value) => typeof value === 'string' && value !== '', 'must be a file path'],
  proxy: [isWebAddress, 'must be a proxy URL, such as http://proxy.example.com:3128'],
  timeoutMs: [(value) => Number.isSafeInteger(value) && Number(value) > 0, 'must be 1 millisecond or more'],
  traits: [isObject, 'must be an object'],
};

export function profileFieldProblem(field: keyof Profile, value: unknown): string | undefined {
  const [isRight, wanted] = FIELDS[field] ?? [];
  return isRight === undefined || isRight(value) ? undefined : wanted;
}

function profileProblem(profile: unknown): string | undefined {
  if (!isObject(profile)) return "it isn't an object";
  for (const field of Object.keys(FIELDS) as (keyof Profile)[]) {
    const value = profile[field];
    if (value === undefined && field !== 'baseUrl') continue;
    const problem = profileFieldProblem(field, value);
    if (problem !== undefined) return `\`${field}\` ${problem}`;
  }
  return undefined;
}

export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

const KEY_PREFIX = 'sk_ext_';

/** The prefix is from section 5 of the specification. The characters are those that HTTP headers allow. */
export function isKey(text: string): boolean {
  return text.startsWith(KEY_PREFIX) && /^[\x21-\x7e]{8,}$/.test(text);
}

/** Returns the trimmed key. Throws KEY_MISSING without showing the value, which may be another secret. */
export function parseKey(text: string, source: string): string {
  const key = text.trim();
  if (isKey(key)) return key;
  throw new PartnerError('KEY_MISSING', {
    message: `${source} doesn't contain a partner key. A key starts with ${KEY_PREFIX} and has no spaces`,
    hint: 'check whether it contains another secret. Nothing was sent',
  });
}

/** Reads a key from a file with a single line. Throws CONFIG_UNREADABLE. */
export function readKeyFile(path: string): string {
  const createFileError = (problem: string, cause?: unknown): PartnerError =>
    new PartnerError('CONFIG_UNREADABLE', {
      message: `the key file ${path} ${problem}`,
      hint: 'set PARTNER_API_KEY_FILE to a file that contains only the key, on one line',
      cause,
    });
  const text = translateErrors(
    () => readFileSync(path, 'utf8').trim(),
    (cause) => createFileError(`can't be read: ${getErrorReason(cause)}`, cause),
  );
  if (text === '') throw createFileError('is empty');
  if (/[\r\n]/.test(text)) throw createFileError('has more than one line');
  return text;
}
