import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';

/*
 * Runs every ```console block and compares its output with the quoted output. Each document runs in a new home
 * directory with a copy of `examples`, on a terminal of 100 columns. A quoted line `…` matches any number of lines.
 * Within a line, `…` matches any text. `<!-- $ command -->` is a hidden command. In a README, which users follow by
 * hand, it may only delete files. Other blocks must have a language (text, sh, json, yaml), and are only counted.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENTS = ['README.md', 'docs/*.md', 'examples/**/README.md'];
const COLUMNS = 100;

const CLEAN_UP = /^rm -rf? [\w./ -]+$/;

/** Parts that differ between runs. */
const VARYING: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC/g, '<time>'],
  [/^\d{4}-\d\d(?=: )/g, '<month>'],
  // Durations of a second or more are followed by a rate.
  [/\b[\d.]+ m?s\b(?:, [\d,.]+\/s\b)?/g, '<duration>'],
  // A clock set to a fixed date is ahead of this machine's clock now, but behind it later.
  [/\b(\d+[wdhms])+ (?:ahead of|behind) this machine\b/g, '<duration> from this machine'],
  [/\b(cmp|fil|key)_[\w-]+/g, '<id>'],
  [/\bsk_ext_\S+/g, '<key>'],
];

interface Command {
  readonly line: string;
  /** Output lines in the document, starting at index `startsAt`. Undefined for a hidden command. */
  readonly quoted?: readonly string[];
  readonly startsAt: number;
}

export interface QuotesChecked {
  /** One message per outdated quote. Empty if the quotes were updated. */
  readonly wrong: readonly string[];
  readonly summary: string;
}

/** Throws for a block without a language, a hidden command that isn't allowed, and a failed command without output. */
export async function checkQuotedOutput(isWriting: boolean, folder = root): Promise<QuotesChecked> {
  const documents = globSync(DOCUMENTS, { cwd: folder, ignore: ['docs/commands/**'] }).sort();
  const counts = new Map<string, number>();
  const wrong = await Promise.all(
    documents.map((document) => checkDocument(join(folder, document), document, isWriting, counts)),
  );
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return {
    wrong: wrong.flat(),
    summary: `${documents.length} documents with these blocks: ${kinds} (only console blocks are run)`,
  };
}

async function checkDocument(
  path: string,
  document: string,
  isWriting: boolean,
  counts: Map<string, number>,
): Promise<string[]> {
  const lines = readFileSync(path, 'utf8').split('\n');
  const commands = commandsIn(lines, document, counts);
  const home = newHome();
  try {
    // Applied from last to first, so that a change doesn't move the lines of earlier commands.
    const changes: { command: Command; printed: readonly string[] }[] = [];
    for (const command of commands) {
      const { printed, code } = await printedBy(command.line, home);
      if (!command.quoted?.length && code !== 0)
        throw new Error(
          `${document}:${command.startsAt}: \`${command.line}\` exited with code ${code}: ${printed.join('\n')}`,
        );
      if (!command.quoted?.length || isQuoted(command.quoted, printed)) continue;
      changes.unshift({ command, printed });
    }
    if (!isWriting) {
      return changes.map(
        ({ command: { line, startsAt }, printed }) =>
          `${document}:${startsAt}: \`${line}\` prints\n${printed.join('\n')}\n`,
      );
    }
    for (const { command, printed } of changes)
      lines.splice(command.startsAt, command.quoted?.length ?? 0, ...printed);
    if (changes.length > 0) writeFileSync(path, lines.join('\n'));
    return [];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Returns commands in order. Throws for a block without a language, and a hidden command that isn't allowed. */
function commandsIn(lines: readonly string[], document: string, counts: Map<string, number>): Command[] {
  const commands: Command[] = [];
  let block: string | undefined;
  let current: { line: string; quoted: string[]; startsAt: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const fence = /^```(.*)$/.exec(line)?.[1];
    const unseen = /^<!-- \$ (.*) -->$/.exec(line)?.[1];
    if (fence !== undefined) {
      if (block === undefined && fence === '')
        throw new Error(
          `${document}:${at + 1}: the block has no language, such as console, text, sh or json`,
        );
      block = block === undefined ? fence : undefined;
      current = undefined;
      if (block !== undefined) counts.set(block, (counts.get(block) ?? 0) + 1);
    } else if (block === undefined && unseen !== undefined) {
      if (/README\.md$/.test(document) && !CLEAN_UP.test(unseen))
        throw new Error(
          `${document}:${at + 1}: a hidden command in a README may only delete files, not run \`${unseen}\``,
        );
      commands.push({ line: unseen, startsAt: at + 1 });
    } else if (block === 'console') {
      if (line.startsWith('$ ')) {
        current = { line: line.slice(2), quoted: [], startsAt: at + 1 };
        commands.push(current);
      } else if (current?.line.endsWith('\\')) {
        current.line = `${current.line.slice(0, -1)}${line.trimStart()}`;
        current.startsAt = at + 1;
      } else current?.quoted.push(line);
    }
  }
  return commands;
}

/** Creates a new home directory with the examples and `partner`. */
function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'partner-quotes-'));
  cpSync(join(root, 'examples'), join(home, 'examples'), { recursive: true });
  mkdirSync(join(home, '.bin'));
  const binary = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/run.js')}' "$@"\n`;
  writeFileSync(join(home, '.bin/partner'), binary, { mode: 0o755 });
  return home;
}

/** Returns what a terminal shows for a command, without trailing blank lines. */
async function printedBy(command: string, home: string): Promise<{ printed: string[]; code: number }> {
  const env = {
    PATH: `${join(home, '.bin')}:${process.env.PATH}`,
    HOME: home,
    PARTNER_DATA_DIR: join(home, '.data'),
    PARTNER_CONFIG_DIR: join(home, '.config'),
    SHELL: '/bin/sh',
    // A dumb terminal disables prompts and animations.
    TERM: 'dumb',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
  const line = `stty cols ${COLUMNS} rows 50; { ${command}\n} < /dev/null`;
  const { stdout, code = 0 }: { stdout: string; code?: number } = await promisify(execFile)(
    'script',
    ['-qec', line, '/dev/null'],
    {
      cwd: home,
      env,
      maxBuffer: 16 * 1024 * 1024,
    },
  ).catch((error) => {
    // A failed command still has output, but a command that can't start is an error.
    if (typeof error.code !== 'number') throw error;
    return error as { stdout: string; code: number };
  });
  const printed = stdout
    .replaceAll('\r', '')
    .trimEnd()
    .split('\n')
    .map((shown) => shown.replaceAll(home, '~').trimEnd());
  return { printed, code };
}

/** True if the printed lines match the quoted lines. */
function isQuoted([first, ...rest]: readonly string[], printed: readonly string[]): boolean {
  if (first === undefined || (first === '' && rest.length === 0)) return printed.every((line) => line === '');
  if (first.trim() === '…') {
    return printed.some((_, at) => isQuoted(rest, printed.slice(at))) || isQuoted(rest, []);
  }
  const [line, ...others] = printed;
  return line !== undefined && isSameLine(first, line) && isQuoted(rest, others);
}

function isSameLine(quoted: string, printed: string): boolean {
  const [wanted, shown] = [quoted, printed].map(steady) as [string, string];
  if (wanted === shown) return true;
  const pattern = wanted.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return pattern.length > 1 && new RegExp(`^${pattern.join('.*')}$`).test(shown);
}

/** Also collapses spaces, because the width of a time or an ID moves the columns after it. */
function steady(line: string): string {
  const named = VARYING.reduce((text, [pattern, name]) => text.replace(pattern, name), line.trimEnd());
  return named === line.trimEnd() ? named : named.replace(/(\S) +/g, '$1 ');
}
