import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import * as flag from '../../cli/flags/flag-values.ts';
import { serverFlags } from '../../cli/flags/server-flags.ts';
import { createValueError } from '../../cli/settings/server-settings.ts';
import { type FieldFlags, getChoices, indexFieldParts, JOB_FIELDS } from '../../contract/job-fields.ts';
import { FORMAT_NAMES, type FormatName, findFormat } from '../../listings/read/formats.ts';
import { CHECK_FORMATS, type CheckFormat } from '../../reports/formats.ts';
import { spendFlags } from './job-checks.ts';

const { publish: _, ...fieldFlags } = indexFieldParts('flags');

/** Values stay strings here, because src/listings parses them and reports all errors at once. */
export const jobFieldFlags = Object.fromEntries(
  Object.entries(fieldFlags).map(([name, { field, value = getChoices(field).join('|'), help }]) => {
    const flag = { helpGroup: 'JOB FIELD', helpValue: value, description: help ?? '' };
    const list = { ...flag, multiple: true, multipleNonGreedy: true } as const;
    return [name, JOB_FIELDS[field].entry && value !== 'DOLLARS' ? Flags.string(list) : Flags.string(flag)];
  }),
) as { [Flag in keyof FieldFlags]: Interfaces.OptionFlag<FieldFlags[Flag] | undefined> };

export const noCheckFlag = {
  'no-check': flag.switchFlag('Skip the completeness check'),
};

export const createOnceFlags = {
  'idempotency-key': flag.textFlag('KEY', 'Create at most one job per key (if the server honors keys)'),
  resend: flag.switchFlag('Retry a create whose result is unknown'),
};

const INPUT_FORMAT = 'Input format of stdin and files without a known extension';

/** Also accepts extensions such as `yml` and `jsonl`. */
const formatFlag = flag.createParsedFlag(
  FORMAT_NAMES.join('|'),
  (given, name): FormatName =>
    findFormat(`.${given.trim()}`) ?? flag.parseChoiceFlag(name, given, FORMAT_NAMES),
);

const reportFormatFlag = flag.createParsedFlag(CHECK_FORMATS.join('|'), parseReportFormat);

const sheetFlag = {
  sheet: flag.textFlag('NAME', 'Workbook sheet to read', { shown: { default: 'the first' } }),
};

export const fileFlags = {
  format: formatFlag({
    aliases: ['input-format'],
    description: INPUT_FORMAT,
  }),
  ...sheetFlag,
};

/** File flags for a command that uses `--format` for its report, and `--input-format` for its input. */
export const checkedFileFlags = {
  format: reportFormatFlag({ default: 'text', description: 'Report format' }),
  'input-format': formatFlag({ description: INPUT_FORMAT }),
  ...sheetFlag,
};

function parseReportFormat(given: string): CheckFormat {
  const format = findFormat(`.${given.trim()}`);
  if (format === undefined || format === 'json')
    return flag.parseChoiceFlag('--format', given, CHECK_FORMATS);
  const hint = `--format sets how problems are printed. For the format of stdin, pass \`--input-format ${format}\``;
  throw createValueError('--format', `one of ${CHECK_FORMATS.join(', ')}`, given, hint);
}

export const sendFlags = {
  ...flag.dryRunFlag,
  ...flag.yesFlag,
  ...flag.inGroup('ADVANCED', { ...noCheckFlag, ...spendFlags, ...fileFlags }),
  ...serverFlags,
};
