import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { prepared } from './homes.ts';
import { type CommandLine, type Home, newHome, type RunOptions } from './partner.ts';
import type { Refused } from './refusal.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

interface Item {
  readonly key: string;
  readonly line: number | null;
  readonly jobId: number | null;
  readonly action: string;
  readonly result?: string;
  readonly published?: boolean;
  readonly notLive?: string;
  readonly changes: readonly { field: string; from: unknown; to: unknown }[];
  readonly notes?: readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
  readonly error?: Refused;
}

interface Document {
  readonly items: readonly Item[];
  readonly notices: readonly Item[];
  readonly summary: Readonly<Record<string, number>>;
  readonly error?: Refused;
}

export interface BulkResult extends Document {
  readonly code: number | null;
  readonly stderr: string;
  readonly calls: readonly Call[];
  /** Changes sent to the server, failed ones included: `POST /jobs`, `PATCH /jobs/1`. */
  readonly sent: readonly string[];
  /** Results, or planned actions: `created a.json`. */
  readonly done: readonly string[];
  readonly noted: readonly string[];
}

export interface BulkRunOptions extends RunOptions {
  /** Default: the directory `jobs`. */
  readonly paths?: readonly string[];
}

export class JobSet {
  readonly statePath: string;

  constructor(readonly home: Home) {
    this.statePath = join(home.path, 'jobs/.partner/state.json');
  }

  async write(name: string, content: unknown): Promise<string> {
    await mkdir(dirname(join(this.home.path, 'jobs', name)), { recursive: true });
    return this.home.file(`jobs/${name}`, content);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.home.path, 'jobs', name));
  }

  apply(flags: CommandLine = [], options: BulkRunOptions = {}): Promise<BulkResult> {
    return this.run('apply', flags, options);
  }

  plan(flags: CommandLine = [], options: BulkRunOptions = {}): Promise<BulkResult> {
    return this.run('plan', flags, options);
  }

  async must(flags: CommandLine = [], options: BulkRunOptions = {}): Promise<BulkResult> {
    const result = await this.apply(flags, options);
    assert.equal(result.code, 0, JSON.stringify({ done: result.done, error: result.error }));
    return result;
  }

  async jobs(path = this.statePath): Promise<Record<string, number>> {
    const { listings } = JSON.parse(await readFile(path, 'utf8')) as { listings: object };
    return Object.fromEntries(Object.entries(listings).map(([key, { job }]) => [key, job]));
  }

  async restate(change: (text: string) => string): Promise<string> {
    const text = change(await readFile(this.statePath, 'utf8'));
    await writeFile(this.statePath, text);
    return text;
  }

  async copy(): Promise<JobSet> {
    return new JobSet(await this.home.copy());
  }

  private async run(verb: string, flags: CommandLine, options: BulkRunOptions): Promise<BulkResult> {
    const { paths = ['jobs'], ...rest } = options;
    const words = typeof flags === 'string' ? flags.split(' ') : flags;
    const run = await this.home.run(['jobs', verb, ...paths, ...words, '--json', '--debug'], rest);
    const document = run.json() as Partial<Document>;
    const { items = [], notices = [], summary = {} } = document;
    const calls = callsIn(run.stderr);
    return {
      ...{ ...document, items, notices, summary, calls, code: run.code, stderr: run.stderr },
      sent: calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
      done: items.map(({ action, result, key }) => `${result ?? action} ${key}`),
      noted: [...items, ...notices].flatMap(({ notes = [] }) => notes.map(({ code }) => code)),
    };
  }
}

function callsIn(trace: string): Call[] {
  const calls: Call[] = [];
  for (const [, method, path = '', body] of trace.matchAll(
    /^> (?:(GET|POST|PATCH) https?:\/\/[^/]+\/v1(\S*)|(\{.*))$/gm,
  )) {
    const last = calls.at(-1);
    if (method !== undefined) calls.push({ method, path, body: undefined });
    else if (last !== undefined && body !== undefined)
      calls[calls.length - 1] = { ...last, body: JSON.parse(body) };
  }
  return calls;
}

export function listingOf(title: string, over: object = {}): object {
  return { ...COMPLETE_LISTING, title, opportunityId: title.toUpperCase().replaceAll(' ', '-'), ...over };
}

const withDashboard = prepared(newHome, async (home) => {
  await home.must(['dashboard', 'accept-terms']);
  await home.must(['dashboard', 'add-card']);
});

const withFiles = prepared(withDashboard, async (home) => {
  const set = new JobSet(home);
  await set.write('a.json', listingOf('Nurse'));
  await set.write('b.json', listingOf('Welder'));
  await set.write('c.json', listingOf('Cook'));
});

/** One request at a time, so that the files become jobs 1 to 3 in order. */
const withDraftSet = prepared(withFiles, (home) => new JobSet(home).must(['--concurrency', '1']));

const withLiveSet = prepared(withFiles, (home) => new JobSet(home).must(['--publish', '--concurrency', '1']));

const setIn = (from: () => Promise<Home>) => async (): Promise<JobSet> => new JobSet(await from());

export const emptySet = setIn(withDashboard);
export const newSet = setIn(withFiles);
export const draftSet = setIn(withDraftSet);
export const liveSet = setIn(withLiveSet);
export const unsettledSet = setIn(newHome);

/** Replaces `it` for independent tests: all of them start with the first and share two slots (partner.ts). */
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
