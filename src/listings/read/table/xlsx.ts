import type { UnzipFileInfo, Unzipped } from 'fflate';
import { decodeEntities } from '../../../text/html-entities.ts';
import { contentFault, type SourcePosition } from '../../check/finding.ts';
import { formatMebibytes } from '../bytes.ts';
import type { DocumentReading, FormatOptions, TableRow } from '../listing.ts';
import { ROWS_MAX, readTable } from './table.ts';

export async function* readXlsx(bytes: Uint8Array, options: FormatOptions): AsyncGenerator<DocumentReading> {
  const { mapping, sheet = mapping?.sheet } = options;
  const opened = await openWorkbook(bytes);
  const read = opened.fault ? opened : await readRows(opened.archive, sheet);
  if (read.fault) return yield { ok: false, fault: read.fault };
  let others = sheet === undefined ? (opened.sheets?.slice(1) ?? []) : [];
  const suggestSheets = () => `pass --sheet ${quoteNames(others, 'disjunction')} to read that sheet, or `;
  for (const reading of readTable(read.rows.map(sheetRow), '.', options)) {
    if (reading.ok) others = [];
    if (reading.ok || others.length === 0) yield reading;
    else yield { ok: false, fault: { ...reading.fault, hint: suggestSheets() + reading.fault.hint } };
  }
}

async function readRows(archive: ArrayBuffer, sheet: string | undefined) {
  const { readSheet } = await import('read-excel-file/universal');
  try {
    // The library declares constructors as the types of its values.
    const rows = (await readSheet(archive, sheet ?? 1, { trim: false })) as unknown as SheetCell[][];
    const first = String(rows[0]?.[0]);
    if (!first.startsWith(REFUSED)) return { rows };
    const hint = 'use a separate row for each listing, and remove other rows and columns';
    return { fault: contentFault(first.slice(REFUSED.length), hint) };
  } catch (error) {
    const { sheets } = error as { readonly sheets?: readonly string[] };
    if (sheets === undefined || sheet === undefined) {
      const hint = 'open it in your spreadsheet app and save it again';
      return { fault: contentFault('the workbook is damaged', hint) };
    }
    const names = quoteNames(sheets, 'conjunction');
    return { fault: contentFault(`the workbook has no sheet "${sheet}"`, `it has ${names}`) };
  }
}

function quoteNames(names: readonly string[], type: Intl.ListFormatType): string {
  return new Intl.ListFormat('en-GB', { type }).format(
    names.slice(0, 20).map((name) => JSON.stringify(name)),
  );
}

type SheetCell = string | number | boolean | Date | null;

function sheetRow(cells: readonly SheetCell[], index: number): TableRow {
  const locateCell = (column: number): SourcePosition => ({
    line: index + 1,
    column: column + 1,
    cell: `${columnLetters(column)}${index + 1}`,
  });
  return { cells: cells.map(cellText), row: index + 1, locateCell };
}

function cellText(value: SheetCell): string {
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  // Spreadsheets show 15 digits: 18.499999999999996 is 18.5 there.
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : String(value ?? '');
}

function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

const UNPACKED_BYTES_MAX = 22 * 1024 * 1024;
const ENTRIES_MAX = 2000;
const CELLS_MAX = 4_000_000;

/** Maximum length of a tag, or of the text between two tags. A cell has at most 32,767 characters. */
const PART_CHARACTERS_MAX = 200_000;

const PART = /^xl\/(?:[^/]+\.xml|_rels\/[^/]+|worksheets\/[^/]+\.xml)$/;

const NO_WORKBOOK = contentFault(
  "can't read this as an Excel workbook (.xlsx): it has another format, is damaged or has a password",
  'open it in your spreadsheet app and save it as an Excel workbook (.xlsx) without a password',
);

const TOO_LARGE = contentFault(
  `the workbook has more than ${formatMebibytes(UNPACKED_BYTES_MAX)} MiB or ${ENTRIES_MAX} files when unpacked`,
  'keep only the sheet with the listings, or save it as CSV',
);

const REFUSED = '#REFUSED ';
const SHEET_NAME = /<(?:\w+:)?sheet\b[^<>]*?\sname="([^"<>]*)"/g;

/** Unpacks a workbook within size limits, and adds text to cells that the library would treat as empty. */
async function openWorkbook(bytes: Uint8Array) {
  const { strFromU8, strToU8, unzipSync, zipSync } = await import('fflate');
  const names: string[] = [];
  let size = 0;
  const isPart = ({ name, originalSize }: UnzipFileInfo): boolean => {
    names.push(name);
    size += PART.test(name) ? originalSize : 0;
    return PART.test(name);
  };
  let parts: Unzipped;
  try {
    unzipSync(bytes, { filter: (file) => isPart(file) && false });
    if (!names.includes('xl/workbook.xml')) return { fault: NO_WORKBOOK };
    if (size > UNPACKED_BYTES_MAX || names.length > ENTRIES_MAX) return { fault: TOO_LARGE };
    // `unzipSync` never unpacks more of a part than the size that was counted above.
    parts = unzipSync(bytes, { filter: isPart });
  } catch {
    return { fault: NO_WORKBOOK };
  }
  for (const [name, part] of Object.entries(parts)) {
    const isSheet = name.startsWith('xl/worksheets/');
    if (!isSheet && name !== 'xl/sharedStrings.xml') continue;
    const xml = strFromU8(part).replace(WIDE_CODE, decodeEntities);
    parts[name] = strToU8(isSheet ? readableSheet(xml) : xml);
  }
  const book = strFromU8(parts['xl/workbook.xml'] ?? new Uint8Array());
  const sheets = Array.from(book.matchAll(SHEET_NAME), ([, name = '']) => decodeEntities(name));
  return { archive: zipSync(parts, { level: 0 }).buffer as ArrayBuffer, sheets };
}

/** The library reads only 16 bits of such a code, for example of an emoji. */
const WIDE_CODE = /&#(?:[1-9]\d{4,5}|x[1-9a-f][\da-f]{4});/gi;
const EMPTY_CELL = /<(?:\w+:)?c\b[^<>]*?(?:\/>|><\/(?:\w+:)?c>)/g;
const EMPTY_ROW = /<((?:\w+:)?)row\b[^<>]*?(?:\/>|>\s*<\/\1row>)/g;
const ERROR_TYPE = /(<(?:\w+:)?c\b[^<>]*?\bt=["'])e(?=["'])/g;
const MERGED_ROWS = /<(?:\w+:)?mergeCell\b[^<>]*?\bref="([A-Z]+(\d+):[A-Z]+(?!\2")\d+)"/;
const REFERENCE = /\sr\s*=\s*["']([^"'<>]*)/;
const REFERENCES = new RegExp(REFERENCE, 'g');
const BARE_FORMULA =
  /(<(?:\w+:)?c\b)([^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/(?:\w+:)?f>)\s*(?:(<(?:\w+:)?v\s*\/>|<(?:\w+:)?v><\/(?:\w+:)?v>)\s*)?<\/(?:\w+:)?c>/g;

/** The library treats errors and formulas without a result as empty cells, and fills rows up to the last column. */
function readableSheet(xml: string): string {
  // If a tag doesn't end, the library parses it again with each chunk, which takes minutes.
  for (let from = 0; from < xml.length; ) {
    const end = xml.indexOf('>', from);
    const to = end < 0 ? xml.length : end;
    if (to - from > PART_CHARACTERS_MAX) return '';
    from = to + 1;
  }
  const [, merged] = MERGED_ROWS.exec(xml) ?? [];
  if (merged !== undefined) return createRefusedSheet(`the sheet has cells merged across rows: ${merged}`);
  const filled = xml
    .replace(EMPTY_CELL, '')
    .replace(EMPTY_ROW, '')
    .replace(ERROR_TYPE, '$1str')
    .replace(BARE_FORMULA, (cell, _, attributes: string, empty: string | undefined) => {
      const ref = REFERENCE.exec(attributes)?.[1];
      const isEmptyText = empty !== undefined && /\bt=["']str["']/.test(attributes);
      return ref === undefined || isEmptyText ? cell : textCell(ref, '#NO RESULT');
    });
  let [rows, columns] = [1, 1];
  for (const [, ref = ''] of filled.matchAll(REFERENCES)) {
    const [, letters, row] = /^([A-Z]{0,3})(\d{1,7})$/.exec(ref) ?? [];
    // The library loops up to the row and the column of a reference, so a longer one could take minutes.
    if (letters === undefined) return '';
    rows = Math.max(rows, Number(row));
    const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    columns = Math.max(columns, column);
  }
  if (rows <= ROWS_MAX && rows * columns <= CELLS_MAX) return filled;
  return createRefusedSheet('the sheet has too many rows and columns to read');
}

function createRefusedSheet(reason: string): string {
  return `<worksheet><sheetData><row r="1">${textCell('A1', REFUSED + reason)}</row></sheetData></worksheet>`;
}

function textCell(ref: string, text: string): string {
  return `<c r="${ref}" t="str"><v>${text}</v></c>`;
}
