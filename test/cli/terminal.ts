import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Home, newHome } from './partner.ts';
import { isMissing, shellEnvironment } from './shell.ts';

const run = promisify(execFile);

/** Nothing under test takes a tenth of this time. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 40;

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

export class Terminal {
  private isOpen = true;

  private constructor(private readonly socket: string) {}

  static async open(options: TerminalOptions = {}): Promise<Terminal> {
    const { home = await newHome(), columns = 80, rows = 50, env = {}, shell = 'bash' } = options;
    if (options.shell === undefined) await home.file('.bashrc', "PS1='$ '\n");
    const terminal = new Terminal(join(home.path, 'tmux.socket'));
    const size = ['-x', String(columns), '-y', String(rows)];
    await run('tmux', [...terminal.server, 'new-session', '-d', ...size, shell], {
      cwd: home.path,
      env: { ...(await shellEnvironment(home)), ...env },
    });
    await terminal.shows(/^\$/m).catch(async (error) => {
      await terminal.close();
      throw error;
    });
    return terminal;
  }

  async type(text: string): Promise<void> {
    await this.tmux('send-keys', '-l', '--', text);
  }

  /** Keys have tmux's names: Enter, Tab, C-c. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.tmux('send-keys', ...keys);
  }

  async enter(line: string): Promise<void> {
    await this.press('C-l');
    // Earlier output could be mistaken for the output of this line.
    await this.shows(/^\$$/);
    await this.tmux('send-keys', '-l', '--', line, ';', 'send-keys', 'Enter');
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
    const text = await this.tmux('capture-pane', '-p', '-J', ...flags);
    return text.replace(/[ \t]+$/gm, '').trimEnd();
  }

  coloured(): Promise<string> {
    return this.screen('-e');
  }

  async shows(text: RegExp): Promise<string> {
    const endsAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const screen = await this.screen();
      if (text.test(screen)) return screen;
      assert.ok(performance.now() < endsAt, `the terminal does not show ${text}, but:\n${screen}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.tmux('kill-server').catch(() => {});
  }

  // `-u` forces UTF-8 in any locale; `-f /dev/null` ignores the user's configuration.
  private get server(): string[] {
    return ['-S', this.socket, '-u', '-f', '/dev/null'];
  }

  private async tmux(...command: readonly string[]): Promise<string> {
    return (await run('tmux', [...this.server, ...command])).stdout;
  }
}

export function terminals(): (options?: TerminalOptions) => Promise<Terminal> {
  const opened: Terminal[] = [];
  before(function () {
    if (isMissing('tmux', 'bash')) this.skip();
  });
  afterEach(() => Promise.all(opened.splice(0).map((terminal) => terminal.close())));
  return async (options) => {
    const terminal = await Terminal.open(options);
    opened.push(terminal);
    return terminal;
  };
}
