import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type Home, newHome } from './partner.ts';
import { requirePrograms, shellEnvironment } from './shell.ts';

/** Long enough for a busy machine. */
const PATIENCE_MS = 60_000;
/** The shortest time between two looks at a screen that keeps changing. */
const LOOK_EVERY_MS = 20;

/** The output of `echo "[exit $?]"` and the next prompt. */
export const ENDED = /^\[exit \d+\]\n\$/m;

export interface TerminalOptions {
  readonly home?: Home;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** A test that sets this must set the shell's prompt to `$ `. */
  readonly shell?: string;
}

/** A tmux client in control mode, which runs every command and reports when the screen changes. */
class Tmux {
  readonly #answers: ((answer: string) => void)[] = [];
  #answer: string[] | undefined;
  #changes = 0;
  #wake: () => void = () => {};

  constructor(readonly child: ChildProcessWithoutNullStreams) {
    createInterface({ input: child.stdout }).on('line', (line) => this.#read(line));
    child.stdin.on('error', () => {});
    child.once('close', () => {
      for (const answer of this.#answers.splice(0)) answer('');
    });
  }

  get changes(): number {
    return this.#changes;
  }

  /** An empty line detaches the client, so a command must not be empty. */
  async send(...commands: readonly (readonly string[])[]): Promise<string> {
    const answers = commands.map(() => new Promise<string>((resolve) => this.#answers.push(resolve)));
    for (const words of commands) this.child.stdin.write(`${words.map(quoted).join(' ')}\n`);
    return (await Promise.all(answers)).join('\n');
  }

  /** Resolves when the screen has changed since `changes`, or after `withinMs`. */
  async changed(changes: number, withinMs: number): Promise<void> {
    if (this.#changes !== changes) return;
    const timer = setTimeout(() => this.#wake(), withinMs);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    clearTimeout(timer);
  }

  #read(line: string): void {
    const [, mark, isOfClient] = /^%(begin|end|error) \d+ \d+ (\d)$/.exec(line) ?? [];
    if (this.#answer !== undefined && mark !== 'end' && mark !== 'error') this.#answer.push(line);
    else if (mark === 'begin' && isOfClient === '1') this.#answer = [];
    else if (this.#answer !== undefined) {
      this.#answers.shift()?.(this.#answer.join('\n'));
      this.#answer = undefined;
    } else if (line.startsWith('%output')) {
      this.#changes++;
      this.#wake();
    }
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export class Terminal {
  private isOpen = true;

  private constructor(private readonly tmux: Tmux) {}

  static async open(options: TerminalOptions = {}): Promise<Terminal> {
    const { home = await newHome(), columns = 80, rows = 50, env = {}, shell = 'bash' } = options;
    if (options.shell === undefined) await home.file('.bashrc', "PS1='$ '\n");
    // `-u` forces UTF-8 in any locale; `-f /dev/null` ignores the user's configuration.
    const server = ['-S', join(home.path, 'tmux.socket'), '-u', '-f', '/dev/null', '-C'];
    const size = ['-x', String(columns), '-y', String(rows)];
    const child = spawn('tmux', [...server, 'new-session', ...size, shell], {
      cwd: home.path,
      env: { ...(await shellEnvironment(home)), ...env },
    });
    const terminal = new Terminal(new Tmux(child));
    await terminal.shows(/^\$/m).catch(async (error) => {
      await terminal.close();
      throw error;
    });
    return terminal;
  }

  async type(text: string): Promise<void> {
    await this.tmux.send(['send-keys', '-l', '--', text]);
  }

  /** Keys have tmux's names: Enter, Tab, C-c. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.tmux.send(['send-keys', ...keys]);
  }

  async enter(line: string): Promise<void> {
    await this.press('C-l');
    // Earlier output could be mistaken for the output of this line.
    await this.shows(/^\$$/);
    await this.tmux.send(['send-keys', '-l', '--', line], ['send-keys', 'Enter']);
  }

  async start(line: string): Promise<void> {
    await this.enter(`clear; before=$(stty -g); ${line}; echo "[exit $?]"`);
  }

  async run(line: string): Promise<{ readonly screen: string; readonly code: number }> {
    await this.enter(`clear; ${line}; echo "[exit $?]"`);
    const screen = await this.shows(ENDED);
    return { screen, code: Number(/\[exit (\d+)\]/.exec(screen)?.[1]) };
  }

  async interrupt(): Promise<string> {
    await this.press('C-c');
    const screen = await this.shows(ENDED);
    assert.match(screen, /^error: interrupted$/m);
    assert.match(screen, /^\[exit 130\]$/m);
    const { code } = await this.run('[ "$(stty -g)" = "$before" ]');
    assert.equal(code, 0, 'the terminal is not as it was');
    return screen;
  }

  /** `-J` joins lines that the terminal wrapped. */
  async screen(...flags: readonly string[]): Promise<string> {
    const text = await this.tmux.send(['capture-pane', '-p', '-J', ...flags]);
    return text.replace(/[ \t]+$/gm, '').trimEnd();
  }

  coloured(): Promise<string> {
    return this.screen('-e');
  }

  async shows(text: RegExp): Promise<string> {
    const endsAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const { changes } = this.tmux;
      const screen = await this.screen();
      if (text.test(screen)) return screen;
      const leftMs = endsAt - performance.now();
      assert.ok(leftMs > 0, `the terminal does not show ${text}, but:\n${screen}`);
      await this.tmux.changed(changes, leftMs);
      await pause(LOOK_EVERY_MS);
    }
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { child } = this.tmux;
    const closed = once(child, 'close');
    child.stdin.end('kill-server\n');
    if (child.exitCode === null) await closed;
  }
}

export function terminals(): (options?: TerminalOptions) => Promise<Terminal> {
  const opened: Terminal[] = [];
  requirePrograms('tmux', 'bash');
  afterEach(() => Promise.all(opened.splice(0).map((terminal) => terminal.close())));
  return async (options) => {
    const terminal = await Terminal.open(options);
    opened.push(terminal);
    return terminal;
  };
}
