import { readdirSync, readFileSync } from 'node:fs';
import { badNames } from './house/names.ts';
import { strayImports } from './house/rooms.ts';
import { type SourceFile, sourceFiles } from './house/source-files.ts';

/**
 * `npm run house` prints the size of the source. It fails if a limit is exceeded, an import isn't allowed, or a
 * function isn't named with a verb and an object (`house/names.json` has the exceptions). `--imports` checks only the
 * imports. Lower the limits on lines when code is removed. Raise them only by the lines planned for a feature.
 */
const source = sourceFiles('src');
const tests = sourceFiles('test');
const misnamed = badNames(source);

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly bound: string;
  readonly isKept: boolean;
}

const figures: readonly Figure[] = [
  atMost('lines of src', linesOf(source), 42_878),
  atMost('files of src', source.length, 400),
  between('lines of the median file', median(source.map(({ lines }) => lines.length)), 50, 90),
  atMost('lines of the longest file', longest(source), 280),
  atMost('lines of the longest command', longest(source.filter(isCommand)), 90),
  atMost('files below 25 lines with one importer', source.filter(isTooSmall).length, 20),
  atMost('comment lines of src, in percent', percent(commentLines(source), linesOf(source)), 5),
  atMost('files directly in src', source.filter(({ path }) => path.split('/').length === 2).length, 2),
  atMost('lines of test', linesOf(tests), 42_000),
  atMost('lines of the longest page of docs', longestPage(), 250),
  atMost('functions not named verb and object', misnamed.length, 0),
];

const stray = strayImports(source);
for (const line of [...stray, ...misnamed]) console.error(line);
if (process.argv.includes('--imports')) process.exitCode = stray.length === 0 ? 0 : 1;
else {
  for (const { name, value, bound, isKept } of figures)
    console.log(`${isKept ? 'ok    ' : 'FAILED'} ${name.padEnd(40)} ${String(value).padStart(7)}   ${bound}`);
  process.exitCode = stray.length === 0 && figures.every(({ isKept }) => isKept) ? 0 : 1;
}

function atMost(name: string, value: number, max: number): Figure {
  return { name, value, bound: `at most ${max.toLocaleString('en')}`, isKept: value <= max };
}

function between(name: string, value: number, min: number, max: number): Figure {
  return { name, value, bound: `${min} to ${max}`, isKept: value >= min && value <= max };
}

/** Ignores pages that are generated. */
function longestPage(): number {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'api.md');
  return Math.max(...pages.map((name) => readFileSync(`docs/${name}`, 'utf8').trimEnd().split('\n').length));
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}

function longest(files: readonly SourceFile[]): number {
  return Math.max(...files.map(({ lines }) => lines.length));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 1_000) / 10;
}

/** Recognizes commands by the command table, because it imports no other files. */
function isCommand({ path }: SourceFile): boolean {
  const table = source.find((file) => file.path === 'src/commands/index.ts');
  return table?.imports.some(({ from, isTypeOnly }) => from === path && !isTypeOnly) ?? false;
}

function isTooSmall({ path, lines }: SourceFile): boolean {
  return (
    lines.length < 25 &&
    source.filter(({ imports }) => imports.some(({ from }) => from === path)).length === 1
  );
}

function commentLines(files: readonly SourceFile[]): number {
  let count = 0;
  for (const { lines } of files) {
    let isInside = false;
    for (const line of lines.map((text) => text.trim())) {
      if (isInside || line.startsWith('//') || line.startsWith('/*')) count++;
      if (line.startsWith('/*')) isInside = true;
      if (line.includes('*/')) isInside = false;
    }
  }
  return count;
}
