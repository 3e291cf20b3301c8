import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { parseMonth, parseTime } from '../../contract/time.ts';

export const companyFlag = {
  company: Flags.string({
    helpValue: 'ID',
    description: 'The company; without it the one made on first use',
  }),
};

/** One of a closed set, however it is spelled: `full-time` is FULL_TIME. Throws USAGE with the nearest value. */
export function oneOf<const T extends string>(flag: string, given: string, values: readonly T[]): T {
  const plain = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, '_');
  const value = values.find((known) => plain(known) === plain(given));
  if (value !== undefined) return value;
  const near = nearest(given, values);
  throw new PartnerError('USAGE', {
    message: `${flag} must be one of ${values.join(', ')}, not \`${given}\``,
    hint: near === undefined ? undefined : `did you mean ${near}?`,
  });
}

export function wholeNumber(flag: string, given: string, bounds: { min: number; max?: number }): number {
  const { min, max = Number.MAX_SAFE_INTEGER } = bounds;
  const value = Number(given);
  if (/^-?\d+$/.test(given) && value >= min && value <= max) return value;
  const range = bounds.max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new PartnerError('USAGE', {
    message: `${flag} takes a whole number ${range}, not \`${given}\``,
    hint: `write it in digits alone: \`${flag} ${min}\``,
  });
}

/** A time in epoch ms, UTC where it names no zone. Throws USAGE. */
export function timeArgument(given: string): number {
  const time = parseTime(given);
  if (time !== undefined) return time;
  throw new PartnerError('USAGE', {
    message: `\`${given}\` is no time`,
    hint: 'write it like 2026-12-31, "2026-12-31 23:59" or 2026-12-31T23:59:59Z; without a zone it is UTC',
  });
}

/** A month as it is written: `2026-03`. Throws USAGE. */
export function monthFlag(flag: string, given: string): string {
  if (parseMonth(given) !== undefined) return given.trim();
  throw new PartnerError('USAGE', {
    message: `${flag} takes a month, not \`${given}\``,
    hint: `write it like \`${flag} 2026-03\``,
  });
}

export const SEEDS = 2 ** 32;

/** A seed of random draws, of 32 bits. Throws USAGE. */
export function seedFlag(given: string): number {
  return wholeNumber('--seed', given, { min: 0, max: SEEDS - 1 });
}

export function shareFlag(flag: string, given: string): number {
  const share = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
  if (share <= 1) return share;
  throw new PartnerError('USAGE', {
    message: `${flag} takes a share from 0 to 1, not \`${given}\``,
    hint: `write one in ten as \`${flag} 0.1\``,
  });
}

export const jobIdArg = Args.string({ required: true, ignoreStdin: true, description: "The job's id" });

/** Throws USAGE for what cannot be a job's id. */
export function jobId(text: string): number {
  return idOf(text, "a job's", 'partner jobs list');
}

export function applicationId(text: string): number {
  return idOf(text, "an application's", 'partner dashboard applications list');
}

export function applicationIds(texts: readonly string[]): number[] {
  return [...new Set(texts.map(applicationId))];
}

function idOf(text: string, whose: string, list: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id;
  throw new PartnerError('USAGE', {
    message: `\`${text}\` cannot be ${whose} id: an id is a whole number`,
    hint: `\`${list}\` shows the ids`,
  });
}

export function jobIds(texts: readonly string[]): number[] {
  return [...new Set(texts.map(jobId))];
}
