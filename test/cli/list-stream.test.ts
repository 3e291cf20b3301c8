import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { realServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { newHome, type Running } from './partner.ts';
import { callsTo } from './servers.ts';

function answerPage(response: ServerResponse, page: number): void {
  const items = Array.from({ length: 20 }, (_, at) => ({
    id: 60 - 20 * page - at,
    title: 'Nurse',
    status: 'DRAFT',
  }));
  const nextCursor = page === 2 ? null : String(page + 1);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ items, nextCursor }));
}

describe('a list of jobs that has several pages', () => {
  const servers = realServers('all tests');
  const home = fixture('all tests', newHome);

  type Answer = (page: number, response: ServerResponse) => unknown;

  const serving = (answer: Answer) =>
    servers.listen(({ url }, _, response) => {
      void answer(Number(new URL(url ?? '', 'http://host').searchParams.get('cursor') ?? 0), response);
    });

  async function started(flags: string, answer: Answer) {
    const server = await serving(answer);
    const running = home.start(`jobs list --limit 60${flags}`, { env: callsTo(server) });
    return { ...running, pages: () => server.requests.length };
  }

  const ended = async (flags: string, answer: Answer) =>
    home.run(`jobs list --limit 60${flags}`, { env: callsTo(await serving(answer)) });

  for (const [flags, last] of [
    [' --json', /"id": 41,/],
    [' --csv', /^41,/m],
    ['', /^41\t/m],
  ] as const)
    it(`is shown page by page: none is asked for before the one before it is on stdout${flags}`, async () => {
      let running: Running | undefined;
      const { ended, ...rest } = await started(flags, async (page, response) => {
        if (page === 1) await running?.shown('stdout', last);
        answerPage(response, page);
      });
      running = { ...rest, ended };
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 0, stderr);
      if (flags === ' --json') {
        const document = JSON.parse(stdout);
        const ids = document.items.map(({ id }: { id: number }) => id);
        assert.deepEqual(
          ids,
          Array.from({ length: 60 }, (_, at) => 60 - at),
        );
        assert.equal(stdout, `${JSON.stringify(document, null, 2)}\n`);
      } else {
        assert.equal(stdout.trimEnd().split('\n').length, flags === '' ? 60 : 61);
      }
    });

  it('is no JSON document where the server dies in the middle: the exit code and stderr say why', async () => {
    const { code, stdout, stderr } = await ended(' --json', (page, response) => {
      if (page < 2) answerPage(response, page);
      else response.writeHead(403).end();
    });
    assert.equal(code, 4);
    assert.match(stdout, /^\{\n {2}"items": \[\n {4}\{\n {6}"id": 60,/);
    assert.match(stdout, /"id": 21,[^{]*\}$/);
    assert.throws(() => JSON.parse(stdout));
    assert.match(stderr, /403[\s\S]*The list on stdout is incomplete/);
  });

  it('is its error as JSON where nothing was written yet, also when it had to be sorted first', async () => {
    for (const [flags, failing] of [
      [' --json', 0],
      [' --json --sort id', 2],
    ] as const) {
      const { code, json } = await ended(flags, (page, response) => {
        if (page < failing) answerPage(response, page);
        else response.writeHead(403).end();
      });
      assert.equal(code, 4);
      assert.ok(Object.hasOwn(json() as object, 'error'));
    }
  });

  it('is not asked for further when its reader has gone, and that is no error', async () => {
    let child: Running['child'] | undefined;
    const { ended, pages, ...running } = await started('', async (page, response) => {
      if (page === 1) {
        child?.stdout?.destroy();
        if (child?.stdout) await once(child.stdout, 'close');
      }
      answerPage(response, page);
    });
    child = running.child;
    const { code, stderr } = await ended;
    assert.deepEqual({ code, stderr, pages: pages() }, { code: 0, stderr: '', pages: 2 });
  });
});
