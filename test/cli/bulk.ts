import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { prepared } from './homes.ts';
import { type Home, newHome, type Run, type RunOptions } from './partner.ts';
import type { Refused } from './refusal.ts';

/** A call as `--debug` traces it. */
interface Call {
  readonly method: string;
  /** Behind the API's root. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

interface Note {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A listing as `jobs plan --json` and `jobs apply --json` tell of it. */
interface Item {
  readonly key: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly jobId: number | null;
  readonly action: string;
  readonly result?: string;
  readonly publish?: boolean;
  readonly published?: boolean;
  readonly replaces?: number;
  readonly changes: readonly { field: string; from: unknown; to: unknown }[];
  readonly notes?: readonly Note[];
  readonly error?: Refused;
}

interface Document {
  readonly items: readonly Item[];
  readonly notices: readonly Item[];
  readonly summary: Readonly<Record<string, number>>;
  readonly error?: Refused;
}

/** What a plan or an apply has come to. */
export interface Told extends Document {
  readonly code: number | null;
  readonly stderr: string;
  readonly calls: readonly Call[];
  /** What it changed on the server, or tried to: `POST /jobs`, `PATCH /jobs/1`. */
  readonly sent: readonly string[];
  /** What became of each item, or what is to become of it: `created a.json`. */
  readonly done: readonly string[];
  /** The codes of all notes, of items and of notices. */
  readonly noted: readonly string[];
}

export interface BulkRunOptions extends RunOptions {
  /** Instead of the directory `jobs`. */
  readonly paths?: readonly string[];
}

/** The job files of a home, in its directory `jobs`, and what `jobs plan` and `jobs apply` make of them. */
export class JobSet {
  constructor(readonly home: Home) {}

  /** Writes a file; what is no text as JSON. Gives its path. */
  async write(name: string, content: unknown): Promise<string> {
    await mkdir(dirname(join(this.home.path, 'jobs', name)), { recursive: true });
    return this.home.file(`jobs/${name}`, content);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.home.path, 'jobs', name));
  }

  apply(flags: readonly string[] = [], options: BulkRunOptions = {}): Promise<Told> {
    return this.told('apply', flags, options);
  }

  plan(flags: readonly string[] = [], options: BulkRunOptions = {}): Promise<Told> {
    return this.told('plan', flags, options);
  }

  /** Applies what must be done as a whole. */
  async must(flags: readonly string[] = [], options: BulkRunOptions = {}): Promise<Told> {
    const told = await this.apply(flags, options);
    const { code, done, error } = told;
    assert.equal(code, 0, JSON.stringify({ done, error }));
    return told;
  }

  get statePath(): string {
    return join(this.home.path, 'jobs/.partner/state.json');
  }

  /** Job ids by listing key, as the state file has them. */
  async jobs(path = this.statePath): Promise<Record<string, number>> {
    const { listings } = JSON.parse(await readFile(path, 'utf8'));
    return Object.fromEntries(
      Object.entries(listings as Record<string, { job: number }>).map(([key, { job }]) => [key, job]),
    );
  }

  /** Writes a state that says something else. */
  async restate(change: (text: string) => string): Promise<string> {
    const text = change(await readFile(this.statePath, 'utf8'));
    await writeFile(this.statePath, text);
    return text;
  }

  async copy(): Promise<JobSet> {
    return new JobSet(await this.home.copy());
  }

  private async told(verb: string, flags: readonly string[], options: BulkRunOptions): Promise<Told> {
    const { paths = ['jobs'], ...rest } = options;
    const run = await this.home.run(['jobs', verb, ...paths, ...flags, '--json', '--debug'], rest);
    return toldBy(run);
  }
}

function toldBy(run: Run): Told {
  const { items = [], notices = [], summary = {}, error } = run.json() as Partial<Document>;
  const calls = callsIn(run.stderr);
  return {
    code: run.code,
    stderr: run.stderr,
    items,
    notices,
    summary,
    ...(error === undefined ? {} : { error }),
    calls,
    sent: calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
    done: items.map(({ action, result, key }) => `${result ?? action} ${key}`),
    noted: [...items, ...notices].flatMap(({ notes = [] }) => notes.map(({ code }) => code)),
  };
}

/** The calls of a trace, each once for each time that it was sent. */
function callsIn(trace: string): Call[] {
  const calls: Call[] = [];
  for (const [, method, path, body] of trace.matchAll(
    /^> (?:(GET|POST|PATCH) https?:\/\/[^/]+\/v1(\S*)|(\{.*))$/gm,
  )) {
    if (method !== undefined && path !== undefined) calls.push({ method, path, body: undefined });
    else if (body !== undefined) {
      const call = calls.pop();
      assert.ok(call);
      calls.push({ ...call, body: JSON.parse(body) });
    }
  }
  return calls;
}

/** A complete listing of an opening of its own. */
export function listingOf(title: string, over: object = {}): object {
  return { ...COMPLETE_LISTING, title, opportunityId: title.toUpperCase().replaceAll(' ', '-'), ...over };
}

/** Terms accepted, a card on file, no job made yet. */
const withDashboard = prepared(newHome, async (home) => {
  await home.must(['dashboard', 'accept-terms']);
  await home.must(['dashboard', 'add-card']);
});

/** The files a.json, b.json and c.json, nothing applied yet. */
const withFiles = prepared(withDashboard, async (home) => {
  const set = new JobSet(home);
  await set.write('a.json', listingOf('Nurse'));
  await set.write('b.json', listingOf('Welder'));
  await set.write('c.json', listingOf('Cook'));
});

/** The same, applied: jobs 1 to 3 in this order are drafts. */
const withDraftSet = prepared(withFiles, (home) => new JobSet(home).must(['--concurrency', '1']));

/** The same, applied and live. */
const withLiveSet = prepared(withFiles, (home) => new JobSet(home).must(['--publish', '--concurrency', '1']));

const setIn = (from: () => Promise<Home>) => async (): Promise<JobSet> => new JobSet(await from());

export const emptySet = setIn(withDashboard);
export const newSet = setIn(withFiles);
export const draftSet = setIn(withDraftSet);
export const liveSet = setIn(withLiveSet);
/** Nothing is settled in the dashboard, no file is written. */
export const unsettledSet = setIn(newHome);

/**
 * What stands for `it` in a file whose tests need nothing of each other: all of them are begun with the first,
 * and take turns on the two cores (partner.ts).
 */
export function together(): (name: string, body: () => Promise<void>) => void {
  const begin: (() => void)[] = [];
  return (name, body) => {
    let ended: Promise<unknown> | undefined;
    begin.push(() => {
      ended ??= body().catch((error: unknown) => ({ error }));
    });
    it(name, async () => {
      for (const each of begin) each();
      const failure = (await ended) as { error: unknown } | undefined;
      if (failure !== undefined) throw failure.error;
    });
  };
}
