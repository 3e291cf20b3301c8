import { nameListing } from '../bulk/plan/desired-listing.ts';
import { describeExpiring } from '../contract/lifecycle.ts';
import { formatNumber } from '../contract/words.ts';
import { formatPosition, sentence } from '../listings/check/finding.ts';
import { escapeControlChars } from '../text/outside-text.ts';
import {
  BUNDLED_ENGINE,
  describeLine,
  problemText,
  type ReportLine,
  type Run,
  reportLines,
  runProblem,
  runSentence,
} from './run.ts';

/** GitHub accepts step summaries up to 1 MiB. The rest is reserved for other output of the step. */
const MOST_BYTES = 900 * 1024;
const MOST_ROWS = 500;
const CELL_CHARACTERS = 300;
const ERROR_CHARACTERS = 2000;

interface Part {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly count?: number;
}

export function renderMarkdown(run: Run): string {
  const parts = buildParts(run).filter(({ rows }) => rows.length > 0);
  const room = { rows: MOST_ROWS, bytes: MOST_BYTES };
  return [
    `## partner jobs ${run.command}`,
    runSentence(run),
    errorPart(run),
    ...describeExpiring(run.plan?.expiring).map((text) => cell(text)),
    where(run),
    countsTable(parts),
    ...parts.map((part) => table(part, room)),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function errorPart(run: Run): string {
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

function where({ target, startedAt }: Run): string {
  const begun = `tarted at ${new Date(startedAt).toISOString().slice(0, 19)}Z.`;
  if (target === undefined) return `S${begun}`;
  return `On ${target === BUNDLED_ENGINE ? `the ${target}` : cell(target)}, s${begun}`;
}

const PLANNED = ['close', 'update', 'publish', 'create', 'record'] as const;
const DONE = ['closed', 'updated', 'published', 'created', 'recorded'] as const;

function buildParts(run: Run): Part[] {
  const { command, plan, error, found } = run;
  const lines = reportLines(run);
  const buildTroubledPart = (title: string, isIn: (line: ReportLine) => boolean): Part => ({
    title,
    columns: ['listing', 'job', 'code', 'problem and next step'],
    rows: lines.filter(isIn).map((line) => {
      const { code, ...problem } = line.problem ?? { code: '', message: '' };
      const isRunError = problem.message === error?.message;
      return [...toCells(line), code, isRunError ? 'same as above' : problemText(problem)];
    }),
  });
  const done = (command === 'plan' ? PLANNED : DONE).map((name) => ({
    title: command === 'plan' ? `To ${name}` : name.replace(/^./, (letter) => letter.toUpperCase()),
    columns: ['listing', 'job', command === 'plan' ? 'planned change' : 'change'],
    rows: lines
      .filter(({ item, outcome }) => (outcome?.result ?? item.action) === name)
      .map((line) => [...toCells(line), describeLine(line, line.outcome?.published)]),
  }));
  const findings = found.findings.map((finding) => [formatPosition(finding), sentence(finding)]);
  return [
    {
      title: 'Problems in the files',
      count: found.errors + found.warnings,
      columns: ['position', 'problem and next step'],
      rows: findings,
    },
    buildTroubledPart('Failed', ({ outcome }) => outcome?.result === 'failed'),
    buildTroubledPart('Outcome unknown', ({ outcome }) => outcome?.result === 'unknown'),
    buildTroubledPart('Held', ({ item, outcome }) => (outcome?.result ?? item.action) === 'held'),
    buildTroubledPart('Not attempted', ({ outcome }) => outcome?.result === 'left'),
    buildTroubledPart('Partly done', isPartlyDone),
    buildTroubledPart('To settle', ({ item, outcome }) => outcome === undefined && item.action === 'settle'),
    ...done,
    {
      title: 'Not changed',
      columns: ['listing', 'job', 'code', 'reason and next step'],
      rows: (plan?.notices ?? []).flatMap(({ jobId, notes, ...notice }) =>
        notes.map((note) => [nameListing(notice), String(jobId ?? ''), note.code, problemText(note)]),
      ),
    },
  ];
}

function toCells({ item, outcome }: ReportLine): string[] {
  return [nameListing(item), String(outcome?.jobId ?? item.jobId ?? '')];
}

function isPartlyDone({ outcome, problem }: ReportLine): boolean {
  return problem !== undefined && ['created', 'updated', 'published'].includes(outcome?.result ?? '');
}

function countsTable(parts: readonly Part[]): string {
  if (parts.length === 0) return '';
  const rows = parts.map(({ title, rows, count = rows.length }) => `| ${title} | ${formatNumber(count)} |`);
  return ['| | listings |', '|---|---:|', ...rows].join('\n');
}

function table({ title, columns, rows, count = rows.length }: Part, room: { rows: number; bytes: number }) {
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
    ...(left === 0 ? [] : [...(shown.length === 0 ? [] : ['']), `… and ${formatNumber(left)} more`]),
  ].join('\n');
}

function cell(text: string, most = CELL_CHARACTERS): string {
  const characters = [...text.slice(0, most * 2)];
  const isLong = characters.length > most || text.length > most * 2;
  const short = isLong ? `${characters.slice(0, most).join('')}…` : text;
  return escapeControlChars(short)
    .replace(/[\\`*_{}[\]<>|~&#!$@]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=mailto|xmpp):/gi, '\\:')
    .replace(/\bwww\./gi, (address) => `${address.slice(0, -1)}\\.`);
}
