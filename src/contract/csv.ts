/**
 * Rows as comma-separated values (RFC 4180). What is read by a spreadsheet is data too: text that it would run as a
 * formula begins with a `'` here. Cells hold one line each.
 */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`).join('');
}

/**
 * How a formula begins, also in the full-width characters that some spreadsheets take for the same: at the start of a
 * cell and, as a spreadsheet of a locale that separates by `;` ignores quotes behind a comma, after each `;` and tab.
 */
const FORMULA = /(^|[;\t])(?=\s*[=+\-@＝＋－＠])/g;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

function harmless(cell: string): string {
  return NUMBER.test(cell) ? cell : cell.replace(FORMULA, "$1'");
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
