import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Window {
  /** Where the server's socket is made, one for each window. */
  readonly socket: string;
  readonly columns: number;
  readonly rows: number;
  readonly shell: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a command has answered so far; of the others, which tmux gives itself, nothing is wanted. */
interface Answer {
  readonly end: string;
  readonly isAsked: boolean;
  readonly lines: string[];
}

interface Asked {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** A tmux server with one window, asked by one client in control mode: a start for each command costs far more. */
export class Tmux {
  private readonly asked: Asked[] = [];
  private answer: Answer | undefined;

  private constructor(private readonly client: ChildProcess) {
    // Written to while it ends.
    client.stdin?.on('error', () => {});
    let begun = '';
    client.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${begun}${text}`.split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) this.read(line);
    });
    client.once('close', () => {
      for (const { reject } of this.asked.splice(0)) reject(new Error('tmux has ended'));
    });
  }

  static async start({ socket, columns, rows, shell, cwd, env }: Window): Promise<Tmux> {
    // -u: UTF-8 whatever the locale says; -f: nobody's own configuration.
    const server = ['-S', socket, '-u', '-f', '/dev/null'];
    const size = ['-x', String(columns), '-y', String(rows)];
    await run('tmux', [...server, 'new-session', '-d', ...size, shell], { cwd, env });
    const attach = ['-C', 'attach-session', '-f', 'ignore-size,no-output'];
    return new Tmux(spawn('tmux', [...server, ...attach], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] }));
  }

  /** Gives what a command answers; fails where it is refused, or tmux has ended. */
  ask(...command: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      if (!this.isRunning) throw new Error('tmux has ended');
      this.asked.push({ resolve, reject });
      this.client.stdin?.write(`${command.map(quoted).join(' ')}\n`);
    });
  }

  async end(): Promise<void> {
    const ended = once(this.client, 'close');
    await this.ask('kill-server').catch(() => {});
    await ended;
  }

  get isRunning(): boolean {
    return this.client.exitCode === null && this.client.signalCode === null;
  }

  private read(line: string): void {
    if (this.answer === undefined) {
      const [, which, isAsked] = /^%begin (\d+ \d+) (\d)$/.exec(line) ?? [];
      if (which !== undefined)
        this.answer = { end: `${which} ${isAsked}`, isAsked: isAsked === '1', lines: [] };
      return;
    }
    const { end, isAsked, lines } = this.answer;
    if (line !== `%end ${end}` && line !== `%error ${end}`) {
      lines.push(line);
      return;
    }
    this.answer = undefined;
    const asked = isAsked ? this.asked.shift() : undefined;
    if (line.startsWith('%end')) asked?.resolve(lines.join('\n'));
    else asked?.reject(new Error(lines.join('\n')));
  }
}

/** As tmux's own parser reads it; a command ends with its line. */
function quoted(word: string): string {
  const octal = (control: string) => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${word.replace(/["\\$]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, octal)}"`;
}
