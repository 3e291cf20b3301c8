import { setTimeout as pause } from 'node:timers/promises';
import type { Home, Running } from '../../cli/partner.ts';

export interface ServedProcess {
  readonly origin: string;
  readonly running: Running;
  /** Set just before the kill because connections may drop from then on. */
  isKilled: boolean;
}

export class Fleet {
  readonly #slots: (ServedProcess | undefined)[];
  readonly #keepers: Promise<void>[];
  #isOver = false;
  /** Processes that ended although no test killed them. */
  readonly ends: string[] = [];
  /** Clues for a failed run: failed starts and the faults that processes logged. */
  readonly notes: string[] = [];

  constructor(home: Home, size: number, flags: string) {
    this.#slots = Array.from({ length: size }, () => undefined);
    this.#keepers = this.#slots.map((_, slot) =>
      this.#keep(slot, (port) => home.start(`engine serve --json --port ${port} ${flags}`)),
    );
  }

  async any(not?: ServedProcess): Promise<ServedProcess> {
    for (;;) {
      const alive = this.#slots.flatMap((one) => (one === undefined || one.isKilled ? [] : [one]));
      const others = alive.filter((one) => one !== not);
      const one = (others.length > 0 ? others : alive)[Math.floor(Math.random() * (others.length || 1))];
      if (one !== undefined) return one;
      await pause(50);
    }
  }

  async allUp(): Promise<void> {
    while (this.#slots.some((one) => one === undefined || one.isKilled)) await pause(50);
  }

  async killOne(): Promise<void> {
    const one = await this.any();
    one.isKilled = true;
    one.running.child.kill('SIGKILL');
  }

  /** Rolling restart: each process ends only after the one before it serves again. */
  async restartEach(): Promise<void> {
    for (const one of this.#slots.flatMap((each) => each ?? [])) {
      one.isKilled = one.running.child.kill('SIGTERM');
      await one.running.ended;
      await this.allUp();
    }
  }

  async stop(): Promise<(number | null)[]> {
    this.#isOver = true;
    const last = this.#slots.flatMap((one) => one ?? []);
    for (const { running } of last) running.child.kill('SIGTERM');
    await Promise.all(this.#keepers);
    return Promise.all(last.map(async ({ running }) => (await running.ended).code));
  }

  async #keep(slot: number, start: (port: string) => Running): Promise<void> {
    let port = '0';
    while (!this.#isOver) {
      const running = start(port);
      try {
        const { url } = JSON.parse(await running.shown('stdout', /\n/)) as { url: string };
        const one = { origin: new URL(url).origin, running, isKilled: false };
        port = new URL(url).port;
        this.#slots[slot] = one;
        const { code, stderr } = await running.ended;
        this.#slots[slot] = undefined;
        this.notes.push(...stderr.split('\n').filter((line) => line.includes('"level":"error"')));
        if (!one.isKilled && !this.#isOver) this.ends.push(`exit ${code}: ${stderr.slice(-2_000)}`);
      } catch (error) {
        // Starts also fail while the database is down.
        this.notes.push(String(error));
        await pause(200);
      }
    }
  }
}
