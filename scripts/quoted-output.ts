import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { globSync } from 'tinyglobby';

/*
 * Every ```console block of the documents is run, in the order of its document, in a clean home with a copy of
 * `examples`, on a terminal of 100 columns, and what it quotes is compared with what it prints. A line `…` stands for
 * any number of lines, `…` in a line for the rest of what stands there. `<!-- $ command -->` runs unseen; in a README,
 * which people follow by hand, it may only clean up. Any other block says in its info string what it is instead (text,
 * sh, json, yaml) and is only counted.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENTS = ['README.md', 'docs/*.md', 'examples/**/README.md'];
const COLUMNS = 100;

const CLEAN_UP = /^rm -rf? [\w./ -]+$/;

/** What differs from run to run. */
const VARYING: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC/g, '<time>'],
  [/^\d{4}-\d\d(?=: )/g, '<month>'],
  // A run of a second or more has its rate too.
  [/\b[\d.]+ m?s\b(?:, [\d,.]+\/s\b)?/g, '<duration>'],
  // A clock that the document has set is ahead of this machine's today, and behind it later.
  [/\b(\d+[wdhms])+ (?:ahead of|behind) this machine\b/g, '<duration> from this machine'],
  [/\b(cmp|fil|key)_[\w-]+/g, '<id>'],
  [/\bsk_ext_\S+/g, '<key>'],
];

interface Command {
  readonly line: string;
  /** What is quoted, and where it begins among the lines of the document; undefined where nothing is shown of it. */
  readonly quoted?: readonly string[];
  readonly startsAt: number;
}

export interface QuotesChecked {
  /** What is quoted and not printed so, one message each; none where it was written. */
  readonly wrong: readonly string[];
  readonly summary: string;
}

/** Runs the documents in `folder`; throws for a block that does not say what it is, a command that must not be hidden, or a set-up that fails. */
export async function checkQuotedOutput(isWriting: boolean, folder = root): Promise<QuotesChecked> {
  const documents = globSync(DOCUMENTS, { cwd: folder, ignore: ['docs/commands/**'] }).sort();
  const counts = new Map<string, number>();
  const wrong = await Promise.all(
    documents.map((document) => checkDocument(join(folder, document), document, isWriting, counts)),
  );
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return { wrong: wrong.flat(), summary: `${documents.length} documents; blocks: ${kinds}; console is run` };
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
    // From the last to the first, the places of those before stay what they were.
    const changes: { command: Command; printed: readonly string[] }[] = [];
    for (const command of commands) {
      const { printed, code } = await printedBy(command.line, home);
      if (!command.quoted?.length && code !== 0)
        throw new Error(
          `${document}:${command.startsAt}: \`${command.line}\` exits ${code}: ${printed.join('\n')}`,
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

/** The commands of a document in their order. Throws for a block that does not say what it is, and a hidden command. */
function commandsIn(lines: readonly string[], document: string, counts: Map<string, number>): Command[] {
  const commands: Command[] = [];
  let block: string | undefined;
  let current: { line: string; quoted: string[]; startsAt: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const fence = /^```(.*)$/.exec(line)?.[1];
    const unseen = /^<!-- \$ (.*) -->$/.exec(line)?.[1];
    if (fence !== undefined) {
      if (block === undefined && fence === '')
        throw new Error(`${document}:${at + 1}: the block does not say what it is: console, text, sh, json`);
      block = block === undefined ? fence : undefined;
      current = undefined;
      if (block !== undefined) counts.set(block, (counts.get(block) ?? 0) + 1);
    } else if (block === undefined && unseen !== undefined) {
      if (/README\.md$/.test(document) && !CLEAN_UP.test(unseen))
        throw new Error(`${document}:${at + 1}: only clean-up may run unseen, not \`${unseen}\``);
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

/** A home in which nothing was done yet, with `partner` on its path. */
function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'partner-quotes-'));
  cpSync(join(root, 'examples'), join(home, 'examples'), { recursive: true });
  mkdirSync(join(home, '.bin'));
  const binary = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/run.js')}' "$@"\n`;
  writeFileSync(join(home, '.bin/partner'), binary, { mode: 0o755 });
  return home;
}

/** What a terminal shows of a command, without the blank lines at its end. */
async function printedBy(command: string, home: string): Promise<{ printed: string[]; code: number }> {
  const env = {
    PATH: `${join(home, '.bin')}:${process.env.PATH}`,
    HOME: home,
    PARTNER_DATA_DIR: join(home, '.data'),
    PARTNER_CONFIG_DIR: join(home, '.config'),
    SHELL: '/bin/sh',
    // Nobody is asked on a dumb terminal, and nothing moves on it.
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
    // A command that fails shows that it does; one that cannot be started is another thing.
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

/** Whether the lines that were printed are those that are quoted. */
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

/** Columns beside a time or an id move with its width: what is between words is one space. */
function steady(line: string): string {
  const named = VARYING.reduce((text, [pattern, name]) => text.replace(pattern, name), line.trimEnd());
  return named === line.trimEnd() ? named : named.replace(/(\S) +/g, '$1 ');
}
