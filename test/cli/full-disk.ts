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

export const DATABASE_WRITES: readonly string[] = commands.writes;

export const DATABASE_READS: readonly string[] = commands.reads;

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

/** Size of the file SQLite shares between processes while a database is open. */
const SHARED_MEMORY_BYTES = 32 * 1024;

export function fillData({ data, database }: Home, freeBytes: number): void {
  rmSync(join(data, 'filler'), { force: true });
  const isShared = existsSync(`${database}-shm`) && statSync(`${database}-shm`).size >= SHARED_MEMORY_BYTES;
  fillDisk(join(data, 'filler'), Math.max(0, freeBytes + (isShared ? 0 : SHARED_MEMORY_BYTES)));
}

/** A loaded process may close its database late and leave room in SQLite's log, so each run gets a new one. */
async function assertStopped(home: Home, line: string): Promise<void> {
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

/** With only `freeBytes` left, every command stops and changes nothing. */
export async function assertAllStopped(home: Home, lines: readonly string[], freeBytes: number) {
  const stored = await storedIn(home);
  for (const line of lines) {
    fillData(home, freeBytes);
    await assertStopped(home, line);
  }
  rmSync(join(home.data, 'filler'));
  assert.deepEqual(await storedIn(home), stored);
}

async function storedIn(home: Home): Promise<unknown[]> {
  const stored: unknown[] = [];
  for (const line of ['jobs list', 'dashboard status', 'dashboard applications list', 'engine keys list'])
    stored.push(await home.must(line, { alone: true }));
  return stored;
}

/** Files a stopped run may leave: those of SQLite, a lock or a reset, and an empty journal. */
const NOT_COMPARED = /partner\.db(?:$|-wal|-shm|-files\.reset)|filler$|\.lock|\.partner\/(?!state\.json$)/;

export function filesIn(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => !NOT_COMPARED.test(name));
  return Object.fromEntries(
    files
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((name) => [name, hash('sha256', readFileSync(join(directory, name)))]),
  );
}
