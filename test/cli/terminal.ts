import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Home, newHome } from './partner.ts';
import { shellEnvironment } from './shell.ts';

const run = promisify(execFile);

/** How long a screen may take to show what it should; nothing that is tested takes a tenth of it. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 20;
/** In a container that reaps nobody a process that has ended seems to run for ever. */
const MOST_LOOKS_AT_A_SHELL = 25;

export interface TerminalOptions {
  readonly home?: Home;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The shell that runs in it; whoever names one sees to it that its prompt is `$ `. */
  readonly shell?: string;
}

/** A window of a real terminal with a shell in it, which is typed into and looked at. */
export class Terminal {
  private constructor(private readonly socket: string) {}

  /** Opens a window; done when its shell waits for a command. */
  static async open(options: TerminalOptions = {}): Promise<Terminal> {
    const { home = await newHome(), columns = 80, rows = 50, env = {} } = options;
    const { shell = 'bash' } = options;
    if (options.shell === undefined) await home.file('.bashrc', "PS1='$ '\n");
    const terminal = new Terminal(join(home.path, 'tmux.socket'));
    await run('tmux', [...terminal.server, ...sizeOf(columns, rows), shell], {
      cwd: home.path,
      env: { ...(await shellEnvironment(home)), ...env },
    });
    try {
      await terminal.shows(/^\$/m);
    } catch (error) {
      await terminal.close();
      throw error;
    }
    return terminal;
  }

  /** Types text as it is. */
  async type(text: string): Promise<void> {
    await this.tmux('send-keys', '-l', '--', text);
  }

  /** Presses keys by tmux's names: Enter, Tab, C-c. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.tmux('send-keys', ...keys);
  }

  /** Clears the window and types a command line. */
  async enter(line: string): Promise<void> {
    await this.press('C-l');
    // What was shown before must not be taken for what this line shows.
    await this.shows(/^\$$/);
    await this.type(line);
    await this.press('Enter');
  }

  /** Gives the window another size, as somebody does who drags its corner; done when what runs in it can know. */
  async resize(columns: number, rows: number): Promise<void> {
    const device = (await this.tmux('display-message', '-p', '#{pane_tty}')).trim();
    await this.tmux('resize-window', '-x', String(columns), '-y', String(rows));
    const endsAt = performance.now() + PATIENCE_MS;
    // tmux tells of a new size a while after it has drawn it.
    for (;;) {
      const { stdout } = await run('sh', ['-c', 'stty size < "$1"', 'sh', device]);
      if (stdout.trim() === `${rows} ${columns}`) return;
      assert.ok(performance.now() < endsAt, `the terminal keeps the size ${stdout}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Runs a command line to its end on a clear window; gives what it showed, and its exit code. */
  async run(line: string): Promise<{ readonly screen: string; readonly code: number }> {
    await this.enter(`clear; ${line}; echo "[exit $?]"`);
    const screen = await this.shows(/^\[exit \d+\]\n\$/m);
    return { screen, code: Number(/\[exit (\d+)\]/.exec(screen)?.[1]) };
  }

  /** What the window shows, a line that the terminal had to break in one piece. */
  async screen(): Promise<string> {
    return this.captured('-J');
  }

  /** The same with its colours, as escape sequences. */
  async coloured(): Promise<string> {
    return this.captured('-J', '-e');
  }

  /** Done when the window shows it; gives the whole window. */
  async shows(text: RegExp): Promise<string> {
    const endsAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const screen = await this.screen();
      if (text.test(screen)) return screen;
      assert.ok(performance.now() < endsAt, `the terminal does not show ${text}, but:\n${screen}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Closes the window; done when its shell is gone, which may write its history at last. */
  async close(): Promise<void> {
    const shell = Number(await this.tmux('display-message', '-p', '#{pane_pid}'));
    await this.tmux('kill-server');
    for (let looks = 0; looks < MOST_LOOKS_AT_A_SHELL && isRunning(shell); looks++)
      await pause(LOOK_EVERY_MS);
  }

  private get server(): string[] {
    // -u: UTF-8 whatever the locale says; -f: nobody's own configuration.
    return ['-S', this.socket, '-u', '-f', '/dev/null'];
  }

  private async captured(...flags: readonly string[]): Promise<string> {
    const text = await this.tmux('capture-pane', '-p', ...flags);
    return text.replace(/[ \t]+$/gm, '').trimEnd();
  }

  private async tmux(...command: readonly string[]): Promise<string> {
    const { stdout } = await run('tmux', [...this.server, ...command]);
    return stdout;
  }
}

function sizeOf(columns: number, rows: number): string[] {
  return ['new-session', '-d', '-x', String(columns), '-y', String(rows)];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
