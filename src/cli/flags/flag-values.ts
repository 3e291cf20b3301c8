import type { Interfaces } from '@oclif/core';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { parseTime } from '../../contract/time.ts';
import { choiceMeant } from '../../listings/flag-values.ts';
import { durationSetting } from '../settings/server-settings.ts';

// oclif would read a missing argument from stdin.
export const requiredArg = (description: string) =>
  Args.string({ required: true, ignoreStdin: true, description });
export const optionalArg = (description: string) => Args.string({ ignoreStdin: true, description });

export const textFlag = (helpValue: string, description?: string) =>
  Flags.string({ helpValue, ...(description && { description }) });

export const repeatableFlag = (helpValue: string, description: string) =>
  Flags.string({ multiple: true, multipleNonGreedy: true, helpValue, description });

export const durationFlag = (description: string, like?: string) =>
  Flags.custom<number>({
    helpValue: 'TIME',
    description,
    parse: async (given, _, { name }) => durationSetting(`--${name}`, given, like),
  })();

export const companyFlag = { company: textFlag('ID', 'Company (required if there are several)') };

/** Matches one of a fixed set of values with `choiceMeant`. Throws USAGE with the nearest value. */
export function oneOf<const T extends string>(flag: string, given: string, values: readonly T[]): T {
  const value = choiceMeant(given, values);
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
    hint: `write it in digits alone: \`${flag}${flag.startsWith('-') ? ' ' : '='}${min}\``,
  });
}

/** A time in epoch ms, UTC where it names no zone. Throws USAGE. */
export function timeValue(given: string): number {
  const time = parseTime(given);
  if (time !== undefined) return time;
  throw new PartnerError('USAGE', {
    message: `\`${given}\` is no time`,
    hint: 'write it like 2026-12-31, "2026-12-31 23:59" or 2026-12-31T23:59:59Z; without a zone it is UTC',
  });
}

export const numberFlag = Flags.custom<number, { min?: number; max?: number }>({
  helpValue: 'N',
  parse: async (given, _, { name, min = 1, max }) =>
    wholeNumber(`--${name}`, given, { min, ...(max !== undefined && { max }) }),
});

/** The number that random draws begin with, of 32 bits. */
export const seedFlag = Flags.custom<number>({
  helpValue: 'N',
  parse: async (given, _, { name }) => wholeNumber(`--${name}`, given, { min: 0, max: SEEDS - 1 }),
});

export const SEEDS = 2 ** 32;

export const shareFlag = Flags.custom<number>({
  helpValue: 'SHARE',
  parse: async (given, _, { name }) => {
    const share = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
    if (share <= 1) return share;
    throw new PartnerError('USAGE', {
      message: `--${name} takes a share from 0 to 1, not \`${given}\``,
      hint: `write one in ten as \`--${name} 0.1\``,
    });
  },
});

export function choiceFlag<const T extends string>(values: readonly T[]) {
  const flag = Flags.custom<string>({
    helpValue: values.join('|'),
    parse: async (given, _, { name }) => oneOf(`--${name}`, given, values),
  });
  return flag as unknown as Interfaces.FlagDefinition<T>;
}

export const jobIdArg = Args.custom<number>({ parse: async (given) => idIn(given, 'job') })({
  required: true,
  ignoreStdin: true,
  description: "The job's id",
});

export const jobIdFlag = Flags.custom<number>({
  helpValue: 'ID',
  parse: async (given) => idIn(given, 'job'),
});

const LISTED_BY = { job: 'partner jobs list', application: 'partner dashboard applications list' };

/** The id of a job or of an application. Throws USAGE for what cannot be one. */
export function idIn(text: string, of: keyof typeof LISTED_BY): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id;
  throw new PartnerError('USAGE', {
    message: `\`${text}\` cannot be ${of === 'job' ? 'a' : 'an'} ${of}'s id: an id is a whole number`,
    hint: `\`${LISTED_BY[of]}\` shows the ids`,
  });
}

/** Several ids, each once. */
export function idsIn(texts: readonly string[], of: keyof typeof LISTED_BY): number[] {
  return [...new Set(texts.map((text) => idIn(text, of)))];
}
