/**
 * Rows as comma-separated values (RFC 4180). What is read by a spreadsheet is data too: text that it would run as a
 * formula begins with a `'` here. Cells hold one line each.
 */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`).join('');
}

/** How a formula begins, also in the full-width characters that some spreadsheets take for the same. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

function harmless(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
