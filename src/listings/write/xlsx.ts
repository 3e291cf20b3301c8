import type { JobInput } from '../../contract/job.ts';
import { sheetOf } from './sheet.ts';

/** The same table as `writeCsv`, as a workbook. Each cell is text, which no spreadsheet runs as a formula. */
export async function writeXlsx(inputs: readonly JobInput[]): Promise<Uint8Array> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const rows = sheetOf(inputs).map((cells, at) =>
    cells.map((value) =>
      value === ''
        ? null
        : {
            value: inXml(value),
            type: String,
            ...(at === 0 ? { fontWeight: 'bold' as const } : { wrap: true }),
          },
    ),
  );
  const blob = await writeXlsxFile(rows, { sheet: 'Jobs', stickyRowsCount: 1 }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

/** What XML does not keep is written by its number; so is what would be read as that, and what the library trips over. */
function inXml(text: string): string {
  const coded = text in {} ? /^./ : /_(?=x[\da-f]{4}_)|(?![\t\n])\p{Cc}|[\ufffe\uffff]/giu;
  return text.replace(coded, (sign) => {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_`;
  });
}
