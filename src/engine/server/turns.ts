interface Waiting {
  readonly size: number;
  readonly begin: () => void;
}

/** Work that takes turns: what runs at one time is together no larger than `most`. First come, first served. */
export class Turns {
  readonly #most: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  async run<T>(size: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ size, begin });
      this.#beginNext();
    });
    try {
      return await work();
    } finally {
      this.#taken -= size;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#taken > 0 && this.#taken + next.size > this.#most) return;
      this.#waiting.shift();
      this.#taken += next.size;
      next.begin();
    }
  }
}
