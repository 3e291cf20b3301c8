/** RFC 4180; text that a spreadsheet would run as a formula begins with a `'` here, which `asWritten` takes off again. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`).join('');
}

/** A spreadsheet of a locale that separates by `;` ignores quotes behind a comma, so each `;` and tab begins a cell. */
const FORMULA = /(^|[;\t])(?=['\s]{0,100}[=+\-@＝＋－＠]|['\s]{101})/g;
const HARMLESS_FORMULA = /(^|[;\t])'(?=['\s]{0,100}[=+\-@＝＋－＠]|['\s]{101})/g;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

function harmless(cell: string): string {
  return NUMBER.test(cell) ? cell : cell.replace(FORMULA, "$1'");
}

/** The text of a cell as it was before `csvLines` made it harmless. */
export function asWritten(cell: string): string {
  return cell.includes("'") ? cell.replace(HARMLESS_FORMULA, '$1') : cell;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
