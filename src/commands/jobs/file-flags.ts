import * as Flags from '@oclif/core/flags';
import { oneOf, textFlag } from '../../cli/flags/flag-values.ts';
import { PartnerError } from '../../contract/errors.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../listings/check/formats/render.ts';
import { FORMAT_NAMES, type FormatName, formatOf, type ReadOptions } from '../../listings/read/formats.ts';

const WRITTEN_IN = 'What stdin is written in, or a file whose name does not say it';

/** `yml` and `jsonl` are known as the endings that they are. */
const formatFlag = Flags.custom<FormatName>({
  helpValue: FORMAT_NAMES.join('|'),
  parse: async (given, _, { name }) =>
    formatOf(`.${given.trim()}`) ?? oneOf(`--${name}`, given, FORMAT_NAMES),
});

const sheetFlag = { sheet: textFlag('NAME', 'The sheet of a workbook (default: its first)') };

export const fileFlags = {
  format: formatFlag({
    aliases: ['input-format'],
    description: `${WRITTEN_IN} (also --input-format)`,
  }),
  ...sheetFlag,
};

export function readOptions({ format, sheet }: ReadOptions): ReadOptions {
  return { format, sheet };
}

/** The same where `--format` is that of the report. */
export const checkedFileFlags = {
  format: Flags.custom<ReportFormat>({
    helpValue: REPORT_FORMATS.join('|'),
    description: 'How problems are printed',
    parse: async (given) => reportFormat(given),
  })(),
  'input-format': formatFlag({ description: WRITTEN_IN }),
  ...sheetFlag,
};

function reportFormat(given: string): ReportFormat {
  const format = formatOf(`.${given.trim()}`);
  if (format === undefined || format === 'json') return oneOf('--format', given, REPORT_FORMATS);
  throw new PartnerError('USAGE', {
    message: `--format must be one of ${REPORT_FORMATS.join(', ')}, not \`${given}\``,
    hint: `here it is how problems are printed; what stdin is written in is \`--input-format ${format}\``,
  });
}
