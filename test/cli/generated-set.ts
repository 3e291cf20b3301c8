import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Libsql from 'libsql';
import { resolvedListing } from '../../bench/listings.ts';
import { openStateStore, type StateStore } from '../../src/bulk/state/state-store.ts';
import type { JobInput } from '../../src/contract/job.ts';
import { prepared } from './homes.ts';
import { type Home, newHome, type Run, type Running } from './partner.ts';

/** A job as the database has it, with the number of the listing that it was made for. */
interface JobRow {
  readonly id: number;
  readonly status: string;
  readonly content: object;
  readonly listing: number;
}

/** A run of the binary, its `--json` document read. */
export interface SetRun extends Run {
  readonly items: readonly SetItem[];
}

export interface SetItem {
  readonly key: string;
  readonly result: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** Where a served engine is. */
export interface Served {
  readonly url: string;
  readonly port: number;
  readonly running: Running;
}

/** A home with generated listings in `jobs`, compared with the jobs in the bundled engine's own database. */
export class GeneratedSet {
  readonly #wanted = new Map<number, JobInput>();
  readonly directory: string;
  readonly stateDirectory: string;
  /** Where calls go. */
  environment: Readonly<Record<string, string>> = {};

  constructor(readonly home: Home) {
    this.directory = join(home.path, 'jobs');
    this.stateDirectory = join(this.directory, '.partner');
  }

  /** Calls go to this address from now on, under the key of the home. */
  async callAt(url: string): Promise<void> {
    const key = await readFile(join(this.home.path, 'key'), 'utf8');
    this.environment = { PARTNER_BASE_URL: url, PARTNER_API_KEY: key };
  }

  /** Writes the listing of a number into its file; one in four names its places as texts. */
  async write(index: number, over: Partial<JobInput> = {}): Promise<void> {
    const listing = { ...resolvedListing(index), ...over };
    this.#wanted.set(index, listing);
    await this.home.file(`jobs/${fileOf(index)}`, index % 4 === 0 ? withTexts(listing) : listing);
  }

  /** Takes the listing's file away; its job is to be closed. */
  async remove(index: number): Promise<void> {
    this.#wanted.delete(index);
    await rm(join(this.directory, fileOf(index)));
  }

  start(flags: readonly string[] = []): Running {
    return this.home.start(['jobs', 'apply', 'jobs', ...flags], { env: this.environment });
  }

  async apply(flags: readonly string[] = []): Promise<SetRun> {
    const run = await this.home.run(['jobs', 'apply', 'jobs', ...flags, '--json'], { env: this.environment });
    const { items = [] } = run.json() as { items?: SetItem[] };
    return { ...run, items };
  }

  /** Runs it until there is nothing left to do; gives how many runs that took. */
  async finish(flags: readonly string[], runsMost: number): Promise<number> {
    for (let runs = 1; ; runs++) {
      const { code, stdout, stderr } = await this.apply(flags);
      if (code === 0) return runs;
      const mayGoOn = runs < runsMost && code !== null && UNFINISHED.includes(code);
      assert.ok(mayGoOn, `run ${runs}: ${code}: ${stdout}${stderr}`);
    }
  }

  /** Serves the home's database, at a free port if none is given. */
  async serve(flags: readonly string[] = [], port = 0): Promise<Served> {
    const running = this.home.start(['engine', 'serve', '--port', String(port), '--json', ...flags]);
    return { ...(JSON.parse(await running.shown('stdout', /\n/)) as { url: string; port: number }), running };
  }

  jobs(): JobRow[] {
    const file = new Libsql(this.home.database, { readonly: true });
    try {
      return (file.prepare('select * from jobs order by id').all() as Record<string, unknown>[]).map(jobRow);
    } finally {
      file.close();
    }
  }

  /** Never more than one job was made for a listing. */
  assertNoneTwice(): void {
    const made = this.jobs().map(({ listing }) => listing);
    const twice = made.filter((listing, at) => made.indexOf(listing) !== at);
    assert.deepEqual(twice, [], `listings that became more than one job: ${twice}`);
  }

  /**
   * Each listing is one live job with its content, a listing that was removed a closed one; the state says which,
   * and nothing else is left beside it. Gives how many jobs were compared.
   */
  async assertExact(): Promise<number> {
    const jobs = this.jobs();
    this.assertNoneTwice();
    const remembered = await this.remembered();
    for (const { id, status, content, listing } of jobs) {
      const wanted = this.#wanted.get(listing);
      assert.equal(status, wanted === undefined ? 'CLOSED' : 'ACTIVE', `job ${id} of listing ${listing}`);
      assert.equal(remembered.get(fileOf(listing)), wanted === undefined ? undefined : id);
      if (wanted !== undefined) assert.deepEqual(content, contentOf(wanted), `job ${id} of ${listing}`);
    }
    const live = jobs.filter(({ status }) => status === 'ACTIVE');
    assert.deepEqual([live.length, remembered.size], [this.#wanted.size, this.#wanted.size]);
    const left = (await readdir(this.stateDirectory)).filter((name) => !KEPT.test(name));
    assert.deepEqual(left, []);
    return jobs.length;
  }

  /** Job ids by file, as the state has them. */
  async remembered(): Promise<Map<string, number>> {
    const store = this.store();
    const { listings = [] } = (await store.readState()) ?? {};
    return new Map(Array.from(listings, ([key, { job }]) => [key, job]));
  }

  store(): StateStore {
    return openStateStore({ stateFlag: this.environment.PARTNER_STATE, root: '.', cwd: this.directory });
  }

  /** The state is kept in that place from now on; a lock of a killed run expires after `lease`. */
  moveState(place: string, lease: string): void {
    this.environment = { ...this.environment, PARTNER_STATE: place, PARTNER_STATE_LEASE: lease };
  }

  /** The job that a listing became, if any did. */
  jobOf(key: string): number | undefined {
    return this.jobs().find(({ listing }) => fileOf(listing) === key)?.id;
  }
}

/** What a run may end with and be finished by another: see the table of exit codes (docs/errors.md). */
const UNFINISHED: readonly number[] = [1, 8, 9, 11];

const KEPT = /^(?:\.gitignore|state\.json|state\.last-run\.json|state\.lock\.db)$/;

/** Terms accepted, a card on file, and a partner key in `key`. */
const withKey = prepared(newHome, async (home) => {
  await home.must(['dashboard', 'accept-terms']);
  await home.must(['dashboard', 'add-card']);
  const { key } = await home.must<{ key: string }>(['engine', 'keys', 'create']);
  await home.file('key', key);
});

/** A set of `count` listings, nothing applied yet. */
export async function generatedSet(count: number): Promise<GeneratedSet> {
  const set = new GeneratedSet(await withKey());
  // There before the first run, so that it can be watched.
  await mkdir(set.stateDirectory, { recursive: true });
  await Promise.all(Array.from({ length: count }, (_, index) => set.write(index)));
  return set;
}

function fileOf(index: number): string {
  return `${String(index).padStart(5, '0')}.json`;
}

/** Two quarters of New York have the same name: only their ids differ. */
const NAMESAKES: readonly number[] = [5143307, 5143308];

function withTexts({ locations, ...listing }: JobInput): object {
  const texts = locations?.map((place) =>
    NAMESAKES.includes(place.locationId) ? place : `${place.city}, ${place.stateProvince}, ${place.country}`,
  );
  return { ...listing, ...(texts === undefined ? {} : { locations: texts }) };
}

const TEXTS_AND_NUMBERS = [
  ...(['title', 'description', 'remoteOption', 'remoteCountry', 'jobType', 'jobLevel', 'salaryMin'] as const),
  ...(['salaryMax', 'salaryPeriod', 'bidPerQualifiedApplicantCents', 'opportunityId', 'atsJobUrl'] as const),
];
const LISTS: readonly string[] = ['locations', 'qualifications', 'questions', 'budgets'];

function jobRow(row: Record<string, unknown>): JobRow {
  const fields = Object.entries(row).map(([column, value]) => {
    const name = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [
      name === 'bidCents' ? 'bidPerQualifiedApplicantCents' : name,
      LISTS.includes(name) ? JSON.parse(String(value)) : value,
    ];
  });
  const [, listing] = /\((\d+)\)/.exec(String(row.title)) ?? [];
  const content = contentOf(Object.fromEntries(fields));
  return { id: Number(row.id), status: String(row.status), content, listing: Number(listing) };
}

/** The content of a listing, without the ids of a server and with one form of what is empty. */
function contentOf(listing: JobInput): object {
  const { locations, qualifications, questions, budgets } = listing;
  return {
    ...Object.fromEntries(TEXTS_AND_NUMBERS.map((name) => [name, listing[name] ?? null])),
    locations: (locations ?? []).map(({ locationId }) => locationId),
    qualifications: (qualifications ?? []).map(({ text, kind, order }) => [text, kind, order]),
    questions: (questions ?? []).map(({ prompt, answerFormat, options = [], order }) => [
      ...[prompt, answerFormat, options, order],
    ]),
    budgets: (budgets ?? [])
      .map(({ window, budgetCents, notes = null }) => [window, budgetCents, notes])
      .sort(),
  };
}
