import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { applySet } from '../../src/bulk/apply/apply-set.ts';
import { openSession } from '../../src/bulk/session.ts';
import type { Connection } from '../../src/cli/connection/connect.ts';
import { PartnerClient } from '../../src/client/client.ts';
import type { TextRequest } from '../../src/contract/http-messages.ts';
import { inPool } from '../../src/contract/promises.ts';
import { LIMITS } from '../../src/contract/values.ts';
import { openEngine } from '../../src/engine/open.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { payingCompany } from '../engine/engine-under-test.ts';
import { PLACES_PATH } from '../http/subject.ts';
import { doubtsOf, type History, type Row, textOf, World } from './history.ts';

const BASE_URL = 'http://engine.test/v1';
const { remoteOption, jobLevel, salaryPeriod, bidPerQualifiedApplicantCents, qualifications } =
  COMPLETE_LISTING;
const SHARED = {
  remoteOption,
  jobLevel,
  salaryPeriod,
  bidPerQualifiedApplicantCents,
  qualifications,
  salaryMax: 90,
};

export interface Tally {
  histories: number;
  applies: number;
  held: number;
  /** Number of held listings by the reason for the doubt. */
  readonly reasons: Record<string, number>;
  readonly failures: string[];
}

interface Job extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly status: string;
}

/** Applies each step of the histories with the real code and an engine in this process. */
export async function playHistories(seed: number, count: number, kind: fc.Arbitrary<History>) {
  const home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'partner-histories-'));
  const engine = await openEngine({
    database: { dialect: 'sqlite', path: join(home, 'engine.db') },
    placesPath: PLACES_PATH,
  });
  const tally: Tally = { histories: 0, applies: 0, held: 0, reasons: {}, failures: [] };
  try {
    await inPool(fc.sample(kind, { seed, numRuns: count }), 8, async (history) => {
      const directory = join(home, `h${++tally.histories}`);
      const failure = await new Player(engine, directory, history, tally).play().catch(String);
      if (failure !== undefined) tally.failures.push(`${JSON.stringify(history)}\n  ${failure}`);
      rmSync(directory, { recursive: true, force: true });
    });
  } finally {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  }
  return tally;
}

class Player {
  readonly world: World;
  readonly truthOf = new Map<number, number>();
  written: string[] = [];
  #server!: Connection;
  /** Only this player changes the jobs of its company, so they are read once after each apply. */
  #live: readonly Job[] = [];

  constructor(
    readonly engine: Awaited<ReturnType<typeof openEngine>>,
    readonly directory: string,
    readonly history: History,
    readonly tally: Tally,
  ) {
    this.world = new World(history);
  }

  async play(): Promise<string | undefined> {
    this.#server = await this.#company();
    mkdirSync(this.directory, { recursive: true });
    writeFileSync(join(this.directory, '_defaults.yaml'), JSON.stringify(SHARED));
    for (const [at, step] of this.history.steps.entries()) {
      for (const edit of step.edits) this.world.edit(edit);
      const fault = await this.#step(step.prunes);
      if (fault !== undefined) return `apply ${at + 1}: ${fault}`;
      this.world.applied(step.prunes);
    }
    return undefined;
  }

  async #step(prunes: boolean): Promise<string | undefined> {
    this.#write();
    this.world.begin();
    const before = new Map(this.#live.map(({ id }) => [this.truthOf.get(id), id]));
    const doubts = doubtsOf(this.world);
    let held = await this.#apply({ prunes });
    this.tally.held += held.length;
    for (const { truth } of held) {
      const why = doubts.get(truth);
      if (why === undefined) return `listing ${truth} is held, and is in no doubt`;
      this.tally.reasons[why] = (this.tally.reasons[why] ?? 0) + 1;
    }
    const turned = await this.#fault(before, new Set(held.map(({ truth }) => truth)));
    if (turned !== undefined || held.length === 0) return turned;
    const adopt = held.flatMap(({ key, truth }) => {
      const id = before.get(truth);
      return id === undefined ? [] : [[key, id] as const];
    });
    if (adopt.length > 0) held = await this.#apply({ prunes, adopt: new Map(adopt) });
    if (held.length > 0) held = await this.#apply({ prunes, createAnyway: true });
    if (held.length > 0) return `listing ${held[0]?.truth} stays held: ${held[0]?.message}`;
    return this.#fault(before, new Set());
  }

  /** Checks every live job and every listing that isn't held. Returns the first failure. */
  async #fault(before: ReadonlyMap<number | undefined, number>, held: ReadonlySet<number>) {
    const rows = this.world.places().map(({ row }) => row);
    this.#live = await this.#liveJobs();
    const jobs = new Map<number, Job>();
    for (const job of this.#live) {
      const content = contentOf(job);
      const says = rows.find((row) => textOf(row) === content)?.truth;
      const was = this.truthOf.get(job.id);
      const truth = says !== undefined && this.world.isSuccessor(says, was) ? says : (was ?? says);
      if (truth === undefined) return `job ${job.id} is nobody's: ${content}`;
      this.truthOf.set(job.id, truth);
      if (!this.world.versions.get(truth)?.has(content)) return `job ${job.id} of ${truth} is now ${content}`;
      const other = jobs.get(truth);
      if (other !== undefined) return `listing ${truth} has the jobs ${other.id} and ${job.id}`;
      jobs.set(truth, job);
    }
    for (const row of rows.filter(({ truth }) => !held.has(truth))) {
      const { truth } = row;
      const job = jobs.get(truth);
      if (job === undefined || job.status !== 'ACTIVE') return `listing ${truth} has no live job`;
      if (before.has(truth) && before.get(truth) !== job.id) return `listing ${truth} has lost its job`;
      if (contentOf(job) !== textOf(row)) return `job ${job.id} is not as its listing ${truth}`;
    }
    for (const { truth } of rows.filter((row) => held.has(row.truth))) {
      if (before.has(truth) && !jobs.has(truth)) return `the job of the held listing ${truth} was closed`;
    }
    return undefined;
  }

  async #apply({ prunes = false, adopt = new Map<string, number>(), createAnyway = false }) {
    this.tally.applies++;
    const interrupted = new AbortController().signal;
    const request = {
      ...{
        paths: [this.directory],
        cwd: this.directory,
        stateFile: undefined,
        publish: true,
        noCheck: false,
      },
      ...{ rebuild: false, createAnyway, keepGoing: false, onlyFailed: false, concurrency: 4, spending: {} },
      plan: { prune: prunes, overwrite: false, repost: false, recreate: false, replace: [], createAnyway },
      interrupted,
    };
    const session = await openSession(request, this.#server, { stdin: Readable.from([]) });
    const reading = await session.read();
    if (reading.invalidKeys.length > 0) throw new Error(JSON.stringify(reading.found.findings[0]));
    const { outcomes, stopped } = await applySet(
      session,
      reading,
      { adopt, resend: [], saved: undefined, isLocking: false },
      {
        ...{ clock: Date.now, monotonicNow: () => performance.now(), newId: () => crypto.randomUUID() },
        ...{
          command: '',
          interrupted,
          markFinishing() {},
          agree: async () => {},
          onProgress() {},
          onMade() {},
        },
      },
    );
    if (stopped !== undefined) throw stopped;
    return outcomes.flatMap(({ item, result, error }) => {
      if (error !== undefined) throw error;
      if (result !== 'held') return [];
      return [{ key: item.key, truth: this.world.truthAt(item.key), message: item.notes[0]?.message }];
    });
  }

  /** Synchronous calls take a tenth of the time on a file system in memory. */
  #write(): void {
    for (const name of this.written) rmSync(join(this.directory, name));
    this.written = [...this.world.files.keys()];
    for (const [name, rows] of this.world.files) {
      mkdirSync(dirname(join(this.directory, name)), { recursive: true });
      writeFileSync(join(this.directory, name), fileText(name, rows));
    }
  }

  async #liveJobs(): Promise<Job[]> {
    const jobs: Job[] = [];
    for await (const job of this.#server.client.allJobs({ limit: 100 }, 1)) jobs.push(job as unknown as Job);
    return jobs.filter(({ status }) => status !== 'CLOSED').sort((a, b) => a.id - b.id);
  }

  async #company(): Promise<Connection> {
    const { operator, fetch, places, clock } = this.engine;
    const { key } = await payingCompany(operator);
    const client = new PartnerClient({
      ...{
        baseUrl: BASE_URL,
        key,
        send: (sent: TextRequest) => fetch(sent),
        userAgent: 'test',
        timeoutMs: 30_000,
      },
      ...{
        clock: Date.now,
        monotonicNow: () => performance.now(),
        random: Math.random,
        sleep: async () => {},
      },
      newIdempotencyKey: () => crypto.randomUUID(),
      traits: { listsJobs: true, pausesJobs: true, resumesJobs: true, honoursIdempotencyKeys: true },
    });
    const server = { client, baseUrl: BASE_URL, keyDigest: 'k', places, limits: LIMITS, now: clock.now };
    return { ...server, placeSource: { places }, createdJobs: { ids: () => [] } } as unknown as Connection;
  }
}

function contentOf({ title, description, locations, jobType, salaryMin, opportunityId = null }: Job): string {
  const [place] = locations as { locationId: number }[];
  return [title, description, place?.locationId, jobType, salaryMin, opportunityId ?? ''].join('|');
}

const COLUMNS = [
  'opportunityId',
  'title',
  'description',
  'jobType',
  'salaryMin',
  'key',
  'locations',
] as const;

function fileText(name: string, rows: readonly Row[]): string {
  const listings = rows.map(({ key, fields: { place, ...fields } }) => ({
    key,
    ...fields,
    locations: [`${place}`],
  }));
  if (name.endsWith('.ndjson')) return listings.map((each) => `${JSON.stringify(each)}\n`).join('');
  if (name.endsWith('.json')) return JSON.stringify(listings.length === 1 ? listings[0] : listings);
  const used = COLUMNS.filter((column) => listings.some((each) => each[column] !== undefined));
  return [used, ...listings.map((each) => used.map((column) => each[column] ?? ''))].join('\n');
}
