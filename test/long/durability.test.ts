import assert from 'node:assert/strict';
import { type Home, newHome } from '../cli/partner.ts';
import { type ServedEngine, serveEngine } from '../cli/servers.ts';
import { newDatabase, POSTGRES_URL } from '../engine/store/postgres-server.ts';

const ROUNDS = 25;
const WRITERS = 8;

const DATABASES = {
  'an SQLite file': async () => ({ env: {} as Record<string, string>, drop: async () => {} }),
  'a PostgreSQL server': async () => {
    const { url, drop } = await newDatabase();
    return { env: { PARTNER_ENGINE_DATABASE: url }, drop };
  },
};

for (const [name, newOne] of Object.entries(DATABASES))
  describe(`the database of the bundled engine, ${name}`, () => {
    it(`keeps every job that was answered, whenever the server is killed (${ROUNDS} times)`, async function () {
      if (name !== 'an SQLite file' && POSTGRES_URL === undefined) return this.skip();
      const home = await newHome();
      const { env, drop } = await newOne();
      await home.must('engine migrate', { env });
      const answered = new Map<number, string>();
      for (let round = 0; round < ROUNDS; round++) {
        const server = await serveEngine(home, '--port 0', { env });
        const writers = Array.from({ length: WRITERS }, (_, writer) =>
          writeUntilGone(server, `round ${round}, writer ${writer}`, answered),
        );
        // A different number of responses in each round makes the kill hit another moment of a write.
        const enough = answered.size + 5 + ((round * 7) % 31);
        while (answered.size < enough) await new Promise((resolve) => setImmediate(resolve));
        server.running.child.kill('SIGKILL');
        await Promise.all([server.running.ended, ...writers]);
      }
      const stored = await storedTitles(home, env);
      await drop();
      const lost = [...answered].filter(([id, title]) => stored.get(id) !== title);
      assert.deepEqual(lost, []);
      console.log(`      ${answered.size} jobs answered, ${stored.size} stored, none of the answered lost`);
    });
  });

async function writeUntilGone({ env, url }: ServedEngine, name: string, answered: Map<number, string>) {
  const headers = { authorization: `Bearer ${env.PARTNER_API_KEY}`, 'content-type': 'application/json' };
  for (let count = 0; ; count++) {
    const title = `${name}, job ${count}`;
    try {
      const body = JSON.stringify({ title });
      const response = await fetch(`${url}/jobs`, { method: 'POST', headers, body });
      const { id } = (await response.json()) as { id: number };
      assert.equal(response.status, 201);
      answered.set(id, title);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function storedTitles(home: Home, env: Record<string, string>): Promise<Map<number, string>> {
  const { items } = await home.must<{ items: { id: number; title: string }[] }>('jobs list --limit 100000', {
    env,
  });
  return new Map(items.map(({ id, title }) => [id, title]));
}
