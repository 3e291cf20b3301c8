/** Formats CSV (RFC 4180). Adds a `'` to text that a spreadsheet would run as a formula. `asWritten` removes it. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('');
}

/** Each `;` and tab counts as the start of a cell, because some spreadsheets split there even inside quotes. */
const FORMULA = /(^|[;\t])(?=['\s]{0,100}[=+\-@＝＋－＠]|['\s]{101})/g;
const HARMLESS_FORMULA = /(^|[;\t])'(?=['\s]{0,100}[=+\-@＝＋－＠]|['\s]{101})/g;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

function formatCell(cell: string): string {
  const text = NUMBER.test(cell) ? cell : cell.replace(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function asWritten(cell: string): string {
  return cell.includes("'") ? cell.replace(HARMLESS_FORMULA, '$1') : cell;
}
