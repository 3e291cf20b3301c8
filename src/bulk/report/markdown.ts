import { expiringText } from '../../contract/expiring.ts';
import { escapeControlChars } from '../../contract/outside-text.ts';
import { grouped } from '../../contract/words.ts';
import { placeOf, sentence } from '../../listings/check/finding.ts';
import {
  BUNDLED_ENGINE,
  type BulkRun,
  problemText,
  type ReportLine,
  reportLines,
  runProblem,
  whatIsDone,
} from './run.ts';
import { runSentence } from './sentence.ts';

/** GitHub takes a step summary of at most 1 MiB; the rest is for what else a step writes there. */
const MOST_BYTES = 900 * 1024;
const MOST_ROWS = 500;
const CELL_CHARACTERS = 300;
const ERROR_CHARACTERS = 2000;

interface Part {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many there are, where `rows` does not have them all. */
  readonly count?: number;
}

/** For people, in GitHub's Markdown: what failed comes before what is done, and nothing in a cell is markup. */
export function renderMarkdownRun(run: BulkRun): string {
  const parts = partsOf(run).filter(({ rows }) => rows.length > 0);
  const room = { rows: MOST_ROWS, bytes: MOST_BYTES };
  return [
    `## partner jobs ${run.command}`,
    runSentence(run),
    errorPart(run),
    ...expiringText(run.plan?.expiring).map((text) => cell(text)),
    where(run),
    countsTable(parts),
    ...parts.map((part) => table(part, room)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function errorPart(run: BulkRun): string {
  const problem = runProblem(run);
  if (problem === undefined) return '';
  const { code, message, fields = {}, hint } = problem;
  const wrong = Object.entries(fields).map(([field, text]) => `- ${cell(`${field}: ${text}`)}`);
  return [
    `**${cell(code)}**: ${cell(message, ERROR_CHARACTERS)}`,
    wrong.join('\n'),
    hint === undefined ? '' : `→ ${cell(hint, ERROR_CHARACTERS)}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function where({ target, startedAt }: BulkRun): string {
  const begun = `egun at ${new Date(startedAt).toISOString().slice(0, 19)}Z.`;
  if (target === undefined) return `B${begun}`;
  return `On ${target === BUNDLED_ENGINE ? `the ${target}` : cell(target)}, b${begun}`;
}

const PLANNED = ['close', 'update', 'publish', 'create', 'record'] as const;
const DONE = ['closed', 'updated', 'published', 'created', 'recorded'] as const;

function partsOf(run: BulkRun): Part[] {
  const { command, plan, error, found } = run;
  const lines = reportLines(run);
  const troubled = (title: string, isIn: (line: ReportLine) => boolean): Part => ({
    title,
    columns: ['listing', 'job', 'code', 'what is wrong, what to do'],
    rows: lines
      .filter(isIn)
      .map(({ item, outcome, problem }) => [
        item.key,
        String(outcome?.jobId ?? item.jobId ?? ''),
        problem?.code ?? '',
        problem === undefined ? '' : problem.message === error?.message ? 'as above' : problemText(problem),
      ]),
  });
  const done = (command === 'plan' ? PLANNED : DONE).map((name) => ({
    title: command === 'plan' ? `To ${name}` : name.replace(/^./, (letter) => letter.toUpperCase()),
    columns: ['listing', 'job', command === 'plan' ? 'what happens' : 'what was done'],
    rows: lines
      .filter(({ item, outcome }) => (outcome?.result ?? item.action) === name)
      .map(({ item, outcome, advice }) => [
        item.key,
        String(outcome?.jobId ?? item.jobId ?? ''),
        [
          whatIsDone({ ...item, publish: outcome?.published ?? item.publish }),
          ...advice.map(problemText),
        ].join('; '),
      ]),
  }));
  const findings = found.findings.map((finding) => [placeOf(finding), sentence(finding)]);
  return [
    {
      title: 'Wrong in the files',
      count: found.errors + found.warnings,
      columns: ['place', 'what is wrong, what to do'],
      rows: findings,
    },
    troubled('Failed', ({ outcome }) => outcome?.result === 'failed'),
    troubled('Outcome unknown', ({ outcome }) => outcome?.result === 'unknown'),
    troubled('Held', ({ item, outcome }) => (outcome?.result ?? item.action) === 'held'),
    troubled('Not attempted', ({ outcome }) => outcome?.result === 'left'),
    troubled('Not all as wanted', isPartlyDone),
    troubled('To settle', ({ item, outcome }) => outcome === undefined && item.action === 'settle'),
    ...done,
    {
      title: 'Left as they are',
      columns: ['listing', 'job', 'code', 'why, what to do'],
      rows: (plan?.notices ?? []).flatMap(({ key, jobId, notes }) =>
        notes.map((note) => [key, String(jobId ?? ''), note.code, problemText(note)]),
      ),
    },
  ];
}

function isPartlyDone({ outcome, problem }: ReportLine): boolean {
  return problem !== undefined && ['created', 'updated', 'published'].includes(outcome?.result ?? '');
}

function countsTable(parts: readonly Part[]): string {
  if (parts.length === 0) return '';
  const rows = parts.map(({ title, rows, count = rows.length }) => `| ${title} | ${grouped(count)} |`);
  return ['| | listings |', '|---|---:|', ...rows].join('\n');
}

/** A table of as many rows as there is room for, which it takes away. */
function table(
  { title, columns, rows, count = rows.length }: Part,
  room: { rows: number; bytes: number },
): string {
  const shown: string[] = [];
  for (const row of rows) {
    const line = `| ${row.map((text) => cell(text)).join(' | ')} |`;
    room.rows -= 1;
    room.bytes -= Buffer.byteLength(line) + 1;
    if (room.rows < 0 || room.bytes < 0) break;
    shown.push(line);
  }
  const left = count - shown.length;
  const head = [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`];
  return [
    `### ${title}`,
    '',
    ...(shown.length === 0 ? [] : [...head, ...shown]),
    ...(left === 0 ? [] : [...(shown.length === 0 ? [] : ['']), `… and ${grouped(left)} more`]),
  ].join('\n');
}

/** One line of text without markup or links, shortened. */
function cell(text: string, most = CELL_CHARACTERS): string {
  const characters = [...text.slice(0, most * 2)];
  const isLong = characters.length > most || text.length > most * 2;
  const short = isLong ? `${characters.slice(0, most).join('')}…` : text;
  return escapeControlChars(short)
    .replace(/[\\`*_{}[\]<>|~&#!$@]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=mailto|xmpp):/gi, '\\:')
    .replace(/\bwww\./gi, (address) => `${address.slice(0, -1)}\\.`);
}
