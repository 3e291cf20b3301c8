import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { fillDisk, smallDisk } from '../small-disk.ts';
import commands from './database-commands.json' with { type: 'json' };
import { prepared, receiveApplications, withLiveJob } from './homes.ts';
import { type Home, newHome } from './partner.ts';
import type { Refused } from './refusal.ts';

/** Job 1 is live with two applications, job 2 a draft, job 3 a complete draft, job 4 paused; every file is there that a line names. */
export const inUse = prepared(withLiveJob, async (home) => {
  await receiveApplications(home, 2);
  const listing = await home.file('listing.json', COMPLETE_LISTING);
  await home.must(['jobs', 'create', listing]);
  await home.must(['jobs', 'create', listing, '--publish']);
  await home.must(['jobs', 'pause', '4']);
  await home.must(['budgets', 'set', '1', '--daily-cents', '9000']);
  mkdirSync(join(home.path, 'set'));
  await home.file('set/cook.json', { title: 'Line cook' });
});

/** The commands that write into the database, as they succeed on the database of `inUse`. */
export const DATABASE_WRITES: readonly string[] = commands.writes;

/** The commands that only read it. */
export const DATABASE_READS: readonly string[] = commands.reads;

/** Gives a home in use whose data directory is a small disk; skips the tests where nothing can be mounted. */
export function homeOnSmallDisk(): () => Home {
  let made: Home | undefined;
  let takeAway: (() => void) | undefined;
  before(async function () {
    const [full, home] = [await inUse(), await newHome()];
    mkdirSync(home.data);
    takeAway = smallDisk(home.data, 'size=3m');
    if (takeAway === undefined) return this.skip();
    cpSync(full.path, home.path, { recursive: true });
    made = home;
  });
  after(() => takeAway?.());
  return () => made as Home;
}

/** What SQLite shares between processes while a database is open. */
const SHARED_MEMORY_BYTES = 32 * 1024;

/** Fills the disk of the data directory, except for some bytes and SQLite's shared memory. */
export function fillData({ data, database }: Home, freeBytes: number): void {
  rmSync(join(data, 'filler'), { force: true });
  const isShared = existsSync(`${database}-shm`) && statSync(`${database}-shm`).size >= SHARED_MEMORY_BYTES;
  fillDisk(join(data, 'filler'), Math.max(0, freeBytes + (isShared ? 0 : SHARED_MEMORY_BYTES)));
}

/**
 * Runs a line that a full disk must stop: exit 2, with the database and the cause named, and no other file changed.
 * In its own process: a loaded one may close its database late, and leave room in SQLite's log for the next write.
 */
export async function assertStopped(home: Home, line: string): Promise<void> {
  const before = filesIn(home.path);
  const run = await home.run(`${line} --json`, { env: { PARTNER_BASE_URL: 'local' }, alone: true });
  assert.equal(run.code, 2, `${line}: ${run.stdout}${run.stderr}`);
  const document = run.json() as { error?: Refused; items?: readonly { error?: Refused }[] };
  const { code, message = '' } = document.error ?? document.items?.[0]?.error ?? {};
  assert.equal(code, 'DATABASE_UNUSABLE', `${line}: ${run.stdout}`);
  assert.ok(message.includes(home.database) && message.includes('the disk is full'), message);
  assert.doesNotMatch(run.stderr, /\n {4}at |bug in partner/, line);
  assert.deepEqual(filesIn(home.path), before, line);
}

/** What the database holds. */
export async function storedIn(home: Home): Promise<unknown[]> {
  const stored: unknown[] = [];
  for (const line of ['jobs list', 'dashboard status', 'dashboard applications list', 'engine keys list'])
    stored.push(await home.must(line, { alone: true }));
  return stored;
}

/** What a run may leave: what SQLite, a lock and a reset need, and a journal without an entry. */
const NOT_COMPARED = /partner\.db(?:$|-wal|-shm|-files\.reset)|filler$|\.lock|\.partner\/(?!state\.json$)/;

/** Every file below a directory with its digest, as far as a run that was stopped must leave it. */
export function filesIn(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => !NOT_COMPARED.test(name));
  return Object.fromEntries(
    files
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((name) => [name, hash('sha256', readFileSync(join(directory, name)))]),
  );
}
