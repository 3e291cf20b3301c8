import type { UnzipFileInfo, Unzipped } from 'fflate';
import { contentFault, type Fault } from '../../check/finding.ts';
import { mebibytes } from '../bytes.ts';
import { ROWS_MAX } from './table.ts';

const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
const ENTRIES_MAX = 2000;
const CELLS_MAX = 4_000_000;

/** Of a tag, or of the text between two: a cell has 32,767 at most. */
const PART_CHARACTERS_MAX = 200_000;

/** The parts of a workbook that hold what its cells say. */
const PART = /^xl\/(?:[^/]+\.xml|_rels\/[^/]+|worksheets\/[^/]+\.xml)$/;

const NO_WORKBOOK = contentFault(
  'this is no Excel workbook (.xlsx) that can be unpacked: it is of another format, damaged, or has a password',
  'open it in your spreadsheet, and save it as an Excel workbook (.xlsx) without a password',
);

const TOO_LARGE = contentFault(
  `the workbook has more than ${mebibytes(UNPACKED_BYTES_MAX)} MiB or ${ENTRIES_MAX} files when it is unpacked`,
  'keep the sheet of the listings alone',
);

/** What the first cell of a sheet begins with that is not read, before the reason. */
export const REFUSED = '#REFUSED ';

/** A workbook with its parts unpacked, within bounds, and with what the reading library would pass over in words. */
export async function openWorkbook(bytes: Uint8Array): Promise<{ archive: ArrayBuffer } | { fault: Fault }> {
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
    // No more is unpacked of a part than the size that was added up.
    parts = unzipSync(bytes, { filter: isPart });
  } catch {
    return { fault: NO_WORKBOOK };
  }
  for (const [name, part] of Object.entries(parts)) {
    if (name.startsWith('xl/worksheets/')) parts[name] = strToU8(readableSheet(strFromU8(part)));
  }
  return { archive: zipSync(parts, { level: 0 }).buffer as ArrayBuffer };
}

const EMPTY_CELL = /<(?:\w+:)?c\b[^<>]*?(?:\/>|><\/(?:\w+:)?c>)/g;
const EMPTY_ROW = /<((?:\w+:)?)row\b[^<>]*?(?:\/>|>\s*<\/\1row>)/g;
const ERROR_TYPE = /(<(?:\w+:)?c\b[^<>]*?\bt=["'])e(?=["'])/g;
const MERGED_ROWS = /<(?:\w+:)?mergeCell\b[^<>]*?\bref="([A-Z]+(\d+):[A-Z]+(?!\2")\d+)"/;
const REFERENCE = /\sr\s*=\s*["']([^"'<>]*)/;
const REFERENCES = new RegExp(REFERENCE, 'g');
const BARE_FORMULA =
  /(<(?:\w+:)?c\b)([^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/(?:\w+:)?f>)\s*(?:(<(?:\w+:)?v\s*\/>|<(?:\w+:)?v><\/(?:\w+:)?v>)\s*)?<\/(?:\w+:)?c>/g;

/** The library takes errors and formulas without a result for empty cells, and fills rows up to the last column. */
function readableSheet(xml: string): string {
  // Where a tag does not end, the library begins anew with each piece that it reads: it takes minutes.
  for (let from = 0; from < xml.length; ) {
    const end = xml.indexOf('>', from);
    const to = end < 0 ? xml.length : end;
    if (to - from > PART_CHARACTERS_MAX) return '';
    from = to + 1;
  }
  const [, merged] = MERGED_ROWS.exec(xml) ?? [];
  if (merged !== undefined) return refusedSheet(`cells of several rows are merged in the sheet: ${merged}`);
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
    // The library counts up to whatever stands there.
    if (letters === undefined) return '';
    rows = Math.max(rows, Number(row));
    columns = Math.max(columns, columnNumber(letters));
  }
  if (rows <= ROWS_MAX && rows * columns <= CELLS_MAX) return filled;
  return refusedSheet('the sheet has too many rows and columns to read');
}

function refusedSheet(reason: string): string {
  return `<worksheet><sheetData><row r="1">${textCell('A1', REFUSED + reason)}</row></sheetData></worksheet>`;
}

function textCell(ref: string, text: string): string {
  return `<c r="${ref}" t="str"><v>${text}</v></c>`;
}

function columnNumber(letters: string): number {
  return Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}
