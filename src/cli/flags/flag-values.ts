import type { Interfaces } from '@oclif/core';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { PartnerError } from '../../contract/errors.ts';
import { parseTime } from '../../contract/time.ts';
import { matchChoice } from '../../listings/flag-values.ts';
import { nearest } from '../../text/nearest.ts';
import { createValueError, durationSetting } from '../settings/server-settings.ts';
import { type Column, getColumnName } from '../terminal/table.ts';

// Without `ignoreStdin`, oclif would read a missing argument from stdin.
export const createRequiredArg = (description: string) =>
  Args.string({ required: true, ignoreStdin: true, description });
export const optionalArg = (description: string) => Args.string({ ignoreStdin: true, description });

type TextOptions = Partial<Pick<Interfaces.OptionFlag<string>, 'default' | 'exclusive' | 'hidden'>>;
export const textFlag = (helpValue: string, description: string, options: TextOptions & Shown = {}) =>
  Flags.string({ helpValue, description, ...options });

type SwitchOptions = Partial<Interfaces.BooleanFlag<boolean>> & Shown;
export const switchFlag = (description: string, options: SwitchOptions = {}) =>
  Flags.boolean({ description, ...options });

export const dryRunFlag = { 'dry-run': switchFlag('Preview the change without making it') };

export const yesFlag = { yes: switchFlag('Skip the prompt', { char: 'y' }) };

export const repeatableFlag = (helpValue: string, description: string) =>
  Flags.string({ multiple: true, multipleNonGreedy: true, helpValue, description });

export const durationFlag = Flags.custom<number, { like?: string } & Shown>({
  helpValue: 'TIME',
  parse: async (given, _, { name, like }) => durationSetting(`--${name}`, given, like),
});

/** A flag with its own parser, which gets the flag's name for errors. */
export function createParsedFlag<T>(helpValue: string, parse: (given: string, flag: string) => T) {
  const flag = Flags.custom<unknown>({
    helpValue,
    parse: async (given, _, { name }) => parse(given, `--${name}`),
  });
  return flag as unknown as Interfaces.FlagDefinition<T>;
}

/** Facts for help only. oclif's own `env` and `defaultHelp` would change how the flag is parsed. */
export type Shown = { shown?: { readonly default?: string; readonly env?: string } };

export function inGroup<F extends object>(helpGroup: string, flags: F): F {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, helpGroup }])) as F;
}

export const stateFlags = {
  state: textFlag('STATE', 'State file, git:BRANCH or postgres://… URL', {
    shown: { default: '.partner/state.json', env: 'PARTNER_STATE' },
  }),
};

export const statePathArg = {
  path: optionalArg('Directory of the listings (working directory if omitted)'),
};

export const companyFlag = {
  company: textFlag('ID', 'Company ID (required if there are several companies)'),
};

/** Matches one of a fixed set of values with `matchChoice`. Throws USAGE with the nearest value. */
export function parseChoiceFlag<const T extends string>(flag: string, given: string, values: readonly T[]) {
  const value = matchChoice(given, values);
  if (value !== undefined) return value;
  const near = nearest(given, values);
  throw createValueError(flag, `one of ${values.join(', ')}`, given, near && `did you mean ${near}?`);
}

export function wholeNumber(flag: string, given: string, bounds: { min: number; max?: number | undefined }) {
  const { min, max = Number.MAX_SAFE_INTEGER } = bounds;
  const value = Number(given);
  if (/^-?\d+$/.test(given) && value >= min && value <= max) return value;
  const range = bounds.max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
  const hint = `use digits only: \`${flag}${flag.startsWith('-') ? ' ' : '='}${min}\``;
  throw createValueError(flag, `a whole number ${range}`, given, hint);
}

/** Parses a time to epoch ms. The default time zone is UTC. Throws USAGE. */
export function timeValue(given: string): number {
  const time = parseTime(given);
  if (time !== undefined) return time;
  throw new PartnerError('USAGE', {
    message: `\`${given}\` isn't a time`,
    hint: 'use a format such as 2026-12-31, "2026-12-31 23:59" or 2026-12-31T23:59:59Z (UTC unless it has a time zone)',
  });
}

export const numberFlag = Flags.custom<number, { min?: number; max?: number } & Shown>({
  helpValue: 'N',
  parse: async (given, _, { name, min = 1, max }) => wholeNumber(`--${name}`, given, { min, max }),
});

export const SEEDS = 2 ** 32;

export const SEED_RANGE = { min: 0, max: SEEDS - 1 };

export const shareFlag = createParsedFlag('SHARE', (given, flag) => {
  const share = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(given) ? Number(given) : Number.NaN;
  if (share <= 1) return share;
  throw createValueError(flag, 'a share from 0 to 1', given, `for one in ten, use \`${flag} 0.1\``);
});

export function choiceFlag<const T extends string>(values: readonly T[]) {
  return createParsedFlag(values.join('|'), (given, flag) => parseChoiceFlag(flag, given, values));
}

export const jobIdArg = Args.custom<number>({ parse: async (given) => parseId(given, 'job') })({
  required: true,
  ignoreStdin: true,
  description: 'Job ID',
});

export const jobIdFlag = createParsedFlag('ID', (given) => parseId(given, 'job'));

const LISTED_BY = { job: 'partner jobs list', application: 'partner dashboard applications list' };

/** Parses the ID of a job or application. Throws USAGE. */
export function parseId(text: string, of: keyof typeof LISTED_BY): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id)) return id;
  throw new PartnerError('USAGE', {
    message: `\`${text}\` isn't ${of === 'job' ? 'a job' : 'an application'} ID: IDs are whole numbers`,
    hint: `\`${LISTED_BY[of]}\` shows the IDs`,
  });
}

export function parseIds(texts: readonly string[], of: keyof typeof LISTED_BY): number[] {
  return [...new Set(texts.map((text) => parseId(text, of)))];
}

export function listFlags<Row>(columns: readonly Column<Row>[]) {
  const helpValue = listColumnNames(columns).join('|');
  return {
    columns: createParsedFlag(helpValue, (given, flag) =>
      given.split(',').map((name) => columnCalled(flag, name.trim(), columns)),
    )({ description: 'Columns to show, separated by commas' }),
    sort: createParsedFlag(helpValue, (given, flag) => {
      const [name = '', direction = 'asc'] = given.split(':');
      const isDescending = parseChoiceFlag(`the direction of ${flag}`, direction, ['asc', 'desc']) === 'desc';
      return { by: columnCalled(flag, name, columns), isDescending };
    })({ description: 'Column to sort by (COLUMN:desc for descending order)' }),
    'no-truncate': switchFlag("Don't truncate values in a narrow terminal"),
    csv: switchFlag('Print CSV with a header row and untruncated values', { exclusive: ['json'] }),
  };
}

function columnCalled<Row>(flag: string, given: string, columns: readonly Column<Row>[]): Column<Row> {
  const names = listColumnNames(columns);
  return columns[names.indexOf(parseChoiceFlag(flag, given, names))] as Column<Row>;
}

function listColumnNames<Row>(columns: readonly Column<Row>[]): string[] {
  return columns.map((column) => getColumnName(column).replaceAll(' ', '-'));
}
