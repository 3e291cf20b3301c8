import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEngine } from '../../src/engine/open.ts';

const PARTNER = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const PLACES = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));
const ROUNDS = 25;
const WRITERS = 8;

describe('the database of the bundled engine', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'partner-long-'));
  });

  afterEach(() => rm(home, { recursive: true, force: true }));

  it(`keeps every job that was answered, whenever the server is killed (${ROUNDS} times)`, async () => {
    const key = await issuedKey(home);
    const answered = new Map<number, string>();
    for (let round = 0; round < ROUNDS; round++) {
      const { server, url } = await served(home);
      const killed = new Promise((resolve) => server.once('exit', resolve));
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        writeUntilGone(url, key, `round ${round}, writer ${writer}`, answered),
      );
      // Killed after a different number of answers each time, so that it strikes at different moments of a write.
      await untilAnswered(answered, answered.size + 5 + ((round * 7) % 31));
      server.kill('SIGKILL');
      await Promise.all([killed, ...writers]);
    }
    const stored = await storedTitles(home);
    const lost = [...answered].filter(([id, title]) => stored.get(id) !== title);
    assert.deepEqual(lost, []);
    console.log(`      ${answered.size} jobs answered, ${stored.size} stored, none of the answered lost`);
  });

  it('takes the writes of eight processes at once without an error or a lost write', async () => {
    const each = 12;
    const runs = Array.from({ length: WRITERS }, async (_, writer) => {
      const ids: number[] = [];
      for (let count = 0; count < each; count++) {
        ids.push(await created(home, `writer ${writer}, job ${count}`));
      }
      return ids;
    });
    const ids = (await Promise.all(runs)).flat();
    assert.equal(new Set(ids).size, WRITERS * each);
    assert.equal((await storedTitles(home)).size, WRITERS * each);
  });
});

/** Starts the built server on the home's database; done when it answers. */
async function served(home: string): Promise<{ server: ChildProcess; url: string }> {
  const server = partner(home, ['engine', 'serve', '--port', '0', '--json']);
  for await (const chunk of server.stdout ?? []) return { server, url: JSON.parse(String(chunk)).url };
  throw new Error('the server ended without an address');
}

async function writeUntilGone(
  url: string,
  key: string,
  name: string,
  answered: Map<number, string>,
): Promise<void> {
  for (let count = 0; ; count++) {
    const title = `${name}, job ${count}`;
    try {
      const response = await fetch(`${url}/jobs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title }),
      });
      const { id } = (await response.json()) as { id: number };
      assert.equal(response.status, 201);
      answered.set(id, title);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function untilAnswered(answered: ReadonlyMap<number, string>, count: number): Promise<void> {
  while (answered.size < count) await new Promise((resolve) => setImmediate(resolve));
}

async function created(home: string, title: string): Promise<number> {
  const child = partner(home, ['jobs', 'create', '--title', title, '--json']);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 0, stdout + stderr);
  return JSON.parse(stdout).id;
}

function partner(home: string, argv: string[]): ChildProcess {
  const env = { ...process.env, HOME: home, PARTNER_DATA_DIR: home, PARTNER_CONFIG_DIR: home };
  return spawn(process.execPath, [PARTNER, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function engineOf(home: string) {
  return openEngine({ databasePath: join(home, 'engine', 'partner.db'), placesPath: PLACES });
}

async function issuedKey(home: string): Promise<string> {
  const engine = await engineOf(home);
  const { id } = await engine.operator.defaultCompany();
  const { key } = await engine.operator.keys.create(id);
  await engine.close();
  return key;
}

/** The titles of all jobs by id, read page by page as a partner would. */
async function storedTitles(home: string): Promise<Map<number, string>> {
  const engine = await engineOf(home);
  const { id: companyId } = await engine.operator.defaultCompany();
  const { key } = await engine.operator.keys.create(companyId);
  const titles = new Map<number, string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = `http://localhost/v1/jobs?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await engine.fetch(new Request(url, { headers: { authorization: `Bearer ${key}` } }));
    const page = (await response.json()) as {
      items: { id: number; title: string }[];
      nextCursor: string | null;
    };
    for (const { id, title } of page.items) titles.set(id, title);
    cursor = page.nextCursor;
  }
  await engine.close();
  return titles;
}
