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

/** What a ZIP archive is instead, by a file in it. */
const OTHERS: readonly (readonly [file: RegExp, name: string])[] = [
  [/^xl\/workbook\.bin$/, 'a binary Excel workbook (.xlsb)'],
  [/^word\//, 'a Word document'],
  [/^ppt\//, 'a PowerPoint presentation'],
  [/^content\.xml$/, 'an OpenDocument file'],
  [/^Index\/.*\.iwa$/, 'a document of Numbers or Pages'],
  [/^META-INF\/MANIFEST\.MF$/, 'a Java archive'],
];

const SAVE_AS = 'open it in your spreadsheet, and save it as an Excel workbook (.xlsx)';

/** What stands in a cell of a sheet that is too large to read, before anything else. */
export const TOO_LARGE = '#TOO LARGE';

/** A workbook with its parts unpacked, within bounds, and with what the reading library would pass over in words. */
export async function openWorkbook(bytes: Uint8Array): Promise<{ archive: ArrayBuffer } | { fault: Fault }> {
  const begins = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (begins === '\xd0\xcf\x11\xe0') {
    const what = 'this is an old Excel workbook (.xls), or one with a password';
    return { fault: contentFault(what, `${SAVE_AS} without a password`) };
  }
  if (!begins.startsWith('PK')) return { fault: contentFault('this is no Excel workbook (.xlsx)', SAVE_AS) };
  const { strFromU8, strToU8, unzipSync, zipSync } = await import('fflate');
  const unpacked = (filter: (file: UnzipFileInfo) => boolean): Unzipped | undefined => {
    try {
      return unzipSync(bytes, { filter });
    } catch {
      return undefined;
    }
  };
  const names: string[] = [];
  let size = 0;
  unpacked(({ name, originalSize }) => {
    names.push(name);
    if (PART.test(name)) size += originalSize;
    return false;
  });
  const fault = names.length === 0 ? undefined : faultOf(names, size);
  if (fault !== undefined) return { fault };
  // No more is unpacked of a part than the size that was added up.
  const parts = unpacked(({ name }) => PART.test(name));
  if (parts === undefined || names.length === 0) {
    const message =
      'this is no Excel workbook (.xlsx) that can be unpacked: it is damaged, or has a password';
    return { fault: contentFault(message, `${SAVE_AS} without a password`) };
  }
  for (const [name, part] of Object.entries(parts)) {
    if (name.startsWith('xl/worksheets/')) parts[name] = strToU8(readableSheet(strFromU8(part)));
  }
  return { archive: zipSync(parts, { level: 0 }).buffer as ArrayBuffer };
}

function faultOf(names: readonly string[], size: number): Fault | undefined {
  if (size > UNPACKED_BYTES_MAX || names.length > ENTRIES_MAX) {
    const has = names.length > ENTRIES_MAX ? `${names.length} files` : `${mebibytes(size)} MiB`;
    const max = names.length > ENTRIES_MAX ? ENTRIES_MAX : `${mebibytes(UNPACKED_BYTES_MAX)} MiB`;
    return contentFault(
      `the workbook has ${has} when it is unpacked; at most ${max}`,
      'keep the sheet of the listings alone',
    );
  }
  if (names.includes('xl/workbook.xml')) return undefined;
  const [, other] = OTHERS.find(([file]) => names.some((name) => file.test(name))) ?? [];
  return contentFault(`this is ${other ?? 'a ZIP archive'}, no Excel workbook (.xlsx)`, SAVE_AS);
}

const EMPTY_CELL = /<(?:\w+:)?c\b[^<>]*?(?:\/>|><\/(?:\w+:)?c>)/g;
const EMPTY_ROW = /<((?:\w+:)?)row\b[^<>]*?(?:\/>|>\s*<\/\1row>)/g;
const ERROR_TYPE = /(<(?:\w+:)?c\b[^<>]*?\bt=["'])e(?=["'])/g;
const REFERENCE = /\sr\s*=\s*["']([^"'<>]*)/;
const REFERENCES = new RegExp(REFERENCE, 'g');
const BARE_FORMULA =
  /(<(?:\w+:)?c\b)([^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/(?:\w+:)?f>)\s*(<(?:\w+:)?v\s*\/>|<(?:\w+:)?v><\/(?:\w+:)?v>)?\s*<\/(?:\w+:)?c>/g;

/** The library takes errors and formulas without a result for empty cells, and fills rows up to the last column. */
function readableSheet(xml: string): string {
  if (hasEndlessPart(xml)) return '';
  const merged = mergedCells(xml);
  const filled = xml
    .replace(EMPTY_CELL, (cell) => {
      const ref = REFERENCE.exec(cell)?.[1];
      return ref !== undefined && merged.has(ref) ? textCell(ref, '#MERGED') : '';
    })
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
  return `<worksheet><sheetData><row r="1">${textCell('A1', TOO_LARGE)}</row></sheetData></worksheet>`;
}

/** A tag that does not end takes the library minutes, as it begins anew with each piece that it reads. */
function hasEndlessPart(xml: string): boolean {
  for (let from = 0; from < xml.length; ) {
    const end = xml.indexOf('>', from);
    if ((end === -1 ? xml.length : end) - from > PART_CHARACTERS_MAX) return true;
    if (end === -1) return false;
    from = end + 1;
  }
  return false;
}

function textCell(ref: string, text: string): string {
  return `<c r="${ref}" t="str"><v>${text}</v></c>`;
}

/** The cells below the first one of a merged range of several rows: what they show is another row's. */
function mergedCells(xml: string): Set<string> {
  const cells = new Set<string>();
  for (const [, letters = '', from, to] of xml.matchAll(
    /<(?:\w+:)?mergeCell\b[^<>]*?\bref="([A-Z]+)(\d+):[A-Z]+(\d+)"/g,
  )) {
    for (let row = Number(from) + 1; row <= Number(to) && cells.size < 10_000; row++)
      cells.add(`${letters}${row}`);
  }
  return cells;
}

function columnNumber(letters: string): number {
  return Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}
