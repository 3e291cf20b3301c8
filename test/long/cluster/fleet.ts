import { setTimeout as pause } from 'node:timers/promises';
import type { Home, Running } from '../../cli/partner.ts';

export interface ServedProcess {
  readonly origin: string;
  readonly running: Running;
  /** Set just before the kill: from then on, its connections may drop. */
  isKilled: boolean;
}

/** Processes of `engine serve` on one database, each started again whenever it ends. */
export class Fleet {
  readonly #slots: (ServedProcess | undefined)[];
  readonly #home: Home;
  readonly #flags: string;
  readonly #keepers: Promise<void>[];
  #isOver = false;
  kills = 0;
  /** Starts that failed, as while the database is away. */
  readonly failedStarts: string[] = [];
  /** Processes that ended though nobody killed them. */
  readonly ends: string[] = [];
  /** What processes wrote to stderr about faults of their own. */
  readonly faults: string[] = [];

  constructor(home: Home, size: number, flags: string) {
    this.#home = home;
    this.#flags = flags;
    this.#slots = Array.from({ length: size }, () => undefined);
    this.#keepers = this.#slots.map((_, slot) => this.#keep(slot));
  }

  get alive(): readonly ServedProcess[] {
    return this.#slots.filter((one) => one !== undefined && !one.isKilled) as ServedProcess[];
  }

  /** One of the processes that are up, another than `not` if there is one. */
  async any(not?: ServedProcess): Promise<ServedProcess> {
    for (;;) {
      const others = this.alive.filter((one) => one !== not);
      const some = others.length > 0 ? others : this.alive;
      const one = some[Math.floor(Math.random() * some.length)];
      if (one !== undefined) return one;
      await pause(50);
    }
  }

  async allUp(): Promise<void> {
    while (this.alive.length < this.#slots.length) await pause(50);
  }

  async killOne(): Promise<void> {
    const one = await this.any();
    one.isKilled = true;
    one.running.child.kill('SIGKILL');
    this.kills++;
  }

  /** Ends all of them as an operator does; gives the exit codes. */
  async stop(): Promise<(number | null)[]> {
    this.#isOver = true;
    const last = [...this.alive];
    for (const one of last) one.running.child.kill('SIGTERM');
    await Promise.all(this.#keepers);
    return Promise.all(last.map(async ({ running }) => (await running.ended).code));
  }

  async #keep(slot: number): Promise<void> {
    while (!this.#isOver) {
      const running = this.#home.start(`engine serve --json --port 0 ${this.#flags}`);
      try {
        const { url } = JSON.parse(await running.shown('stdout', /\n/)) as { url: string };
        const one = { origin: new URL(url).origin, running, isKilled: false };
        this.#slots[slot] = one;
        const { code, signal, stderr } = await running.ended;
        this.#slots[slot] = undefined;
        this.faults.push(...stderr.split('\n').filter((line) => /fault|bug|error/i.test(line)));
        if (!one.isKilled && !this.#isOver) this.ends.push(`exit ${code ?? signal}: ${stderr.slice(-2_000)}`);
      } catch (error) {
        this.failedStarts.push(String(error).slice(0, 500));
        await pause(200);
      }
    }
  }
}
