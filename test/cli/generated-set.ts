import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resolvedListing } from '../../bench/listings.ts';
import { openStateStore, type StateStore } from '../../src/bulk/state/state-store.ts';
import type { JobInput } from '../../src/contract/job.ts';
import { prepared } from './homes.ts';
import { type Home, newHome, type Run, type Running } from './partner.ts';

interface JobRow {
  readonly id: number;
  readonly status: string;
  readonly content: object;
  readonly listing: number;
}

export interface SetRun extends Run {
  readonly items: readonly SetItem[];
}

export interface SetItem {
  readonly key: string;
  readonly result: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly running: Running;
}

export class GeneratedSet {
  readonly #wanted = new Map<number, JobInput>();
  readonly directory: string;
  readonly stateDirectory: string;
  environment: Readonly<Record<string, string>> = {};

  constructor(readonly home: Home) {
    this.directory = join(home.path, 'jobs');
    this.stateDirectory = join(this.directory, '.partner');
  }

  async callAt(url: string): Promise<void> {
    const key = await readFile(join(this.home.path, 'key'), 'utf8');
    this.environment = { PARTNER_BASE_URL: url, PARTNER_API_KEY: key };
  }

  /** One file in four gives its places as text, to cover both forms. */
  async write(index: number, over: Partial<JobInput> = {}): Promise<void> {
    const listing = { ...resolvedListing(index), ...over };
    this.#wanted.set(index, listing);
    await this.home.file(`jobs/${fileOf(index)}`, index % 4 === 0 ? withTexts(listing) : listing);
  }

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

  /** Returns the number of runs it took. */
  async finish(flags: readonly string[], runsMost: number): Promise<number> {
    for (let runs = 1; ; runs++) {
      const { code, stdout, stderr } = await this.apply(flags);
      if (code === 0) return runs;
      const mayGoOn = runs < runsMost && code !== null && UNFINISHED.includes(code);
      assert.ok(mayGoOn, `run ${runs}: ${code}: ${stdout}${stderr}`);
    }
  }

  async serve(flags: readonly string[] = [], port = 0): Promise<Served> {
    const running = this.home.start(['engine', 'serve', '--port', String(port), '--json', ...flags]);
    return { ...(JSON.parse(await running.shown('stdout', /\n/)) as { url: string; port: number }), running };
  }

  jobs(): JobRow[] {
    return this.home.stored<Record<string, unknown>>('select * from jobs order by id').map(jobRow);
  }

  assertNoneTwice(): void {
    const made = this.jobs().map(({ listing }) => listing);
    const twice = made.filter((listing, at) => made.indexOf(listing) !== at);
    assert.deepEqual(twice, [], `listings that became more than one job: ${twice}`);
  }

  /** Checks the jobs, the state and its directory; returns the number of jobs compared. */
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

  async remembered(): Promise<Map<string, number>> {
    const store = this.store();
    const { listings = [] } = (await store.readState()) ?? {};
    return new Map(Array.from(listings, ([key, { job }]) => [key, job]));
  }

  store(): StateStore {
    return openStateStore({ stateFlag: this.environment.PARTNER_STATE, root: '.', cwd: this.directory });
  }

  moveState(place: string, lease: string): void {
    this.environment = { ...this.environment, PARTNER_STATE: place, PARTNER_STATE_LEASE: lease };
  }

  jobOf(key: string): number | undefined {
    return this.jobs().find(({ listing }) => fileOf(listing) === key)?.id;
  }
}

/** Exit codes after which another run can finish the work (docs/errors.md). */
const UNFINISHED: readonly number[] = [1, 8, 9, 11];

const KEPT = /^(?:\.gitignore|state\.json|state\.last-run\.json|state\.lock\.db)$/;

const withKey = prepared(newHome, async (home) => {
  await home.must(['dashboard', 'accept-terms']);
  await home.must(['dashboard', 'add-card']);
  const { key } = await home.must<{ key: string }>(['engine', 'keys', 'create']);
  await home.file('key', key);
});

export async function generatedSet(count: number): Promise<GeneratedSet> {
  const set = new GeneratedSet(await withKey());
  // Created before the first run, so that it can be watched.
  await mkdir(set.stateDirectory, { recursive: true });
  await Promise.all(Array.from({ length: count }, (_, index) => set.write(index)));
  return set;
}

function fileOf(index: number): string {
  return `${String(index).padStart(5, '0')}.json`;
}

/** Two New York neighborhoods share a name, so only their IDs tell them apart. */
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

/** Drops the server's IDs and normalizes empty values, so that a job can be compared with its listing. */
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
