import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Home, newHome } from './partner.ts';
import { isMissing, shellEnvironment } from './shell.ts';
import { Tmux } from './tmux.ts';

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
  private constructor(private readonly tmux: Tmux) {}

  /** Opens a window; done when its shell waits for a command. */
  static async open(options: TerminalOptions = {}): Promise<Terminal> {
    const { home = await newHome(), columns = 80, rows = 50, env = {} } = options;
    const { shell = 'bash' } = options;
    if (options.shell === undefined) await home.file('.bashrc', "PS1='$ '\n");
    const tmux = await Tmux.start({
      socket: join(home.path, 'tmux.socket'),
      columns,
      rows,
      shell,
      cwd: home.path,
      env: { ...(await shellEnvironment(home)), ...env },
    });
    const terminal = new Terminal(tmux);
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
    await this.tmux.ask('send-keys', '-l', '--', text);
  }

  /** Presses keys by tmux's names: Enter, Tab, C-c. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.tmux.ask('send-keys', ...keys);
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
    const device = (await this.tmux.ask('display-message', '-p', '#{pane_tty}')).trim();
    await this.tmux.ask('resize-window', '-x', String(columns), '-y', String(rows));
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

  /** Closes the window, once; done when its shell is gone, which may write its history at last. */
  async close(): Promise<void> {
    if (!this.tmux.isRunning) return;
    const shell = Number(await this.tmux.ask('display-message', '-p', '#{pane_pid}'));
    await this.tmux.end();
    for (let looks = 0; looks < MOST_LOOKS_AT_A_SHELL && isRunning(shell); looks++)
      await pause(LOOK_EVERY_MS);
  }

  private async captured(...flags: readonly string[]): Promise<string> {
    const text = await this.tmux.ask('capture-pane', '-p', ...flags);
    return text.replace(/[ \t]+$/gm, '').trimEnd();
  }
}

/**
 * What opens windows in the tests of a suite, each closed behind its test; without tmux the suite is passed over.
 * Called in `describe`.
 */
export function terminals(): (options?: TerminalOptions) => Promise<Terminal> {
  const opened: Terminal[] = [];
  before(function () {
    if (isMissing('tmux', 'bash')) this.skip();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((terminal) => terminal.close()));
  });
  return async (options) => {
    const terminal = await Terminal.open(options);
    opened.push(terminal);
    return terminal;
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
