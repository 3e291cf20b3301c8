import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type RealServer, realServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { newHome } from './partner.ts';
import { KEY } from './servers.ts';

describe('a create whose answer is lost: exit 8', () => {
  const servers = realServers('each test');
  let server: RealServer;
  let lists: boolean;
  const jobs: object[] = [];
  const home = fixture('each test', newHome);
  beforeEach(async () => {
    lists = true;
    jobs.length = 0;
    server = await servers.listen(({ method, url = '', body }, request, response) => {
      response.setHeader('content-type', 'application/json');
      if (method === 'POST') {
        jobs.push({ id: jobs.length + 1, status: 'DRAFT', ...JSON.parse(body) });
        return void request.socket.destroy();
      }
      if (url.startsWith('/v1/jobs?') && !lists) {
        const error = { code: 'NOT_FOUND', message: 'no such route' };
        return void response.writeHead(404).end(JSON.stringify({ error }));
      }
      if (/\/v1\/jobs\/\d+$/.test(url))
        return void response.end('{"id":7,"title":"Baker","opportunityId":"r 7"}');
      response.end(JSON.stringify({ items: url.startsWith('/v1/loc') ? [] : jobs }));
    });
  });

  const login = (flags = '') =>
    home.run(`auth login acme --with-key --base-url ${server.origin}/v1${flags}`, { stdin: KEY });
  const hinted = (stderr: string) => /`partner ([^`]+)`/.exec(stderr)?.[1] ?? assert.fail(stderr);
  const words = (line: string) =>
    execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');

  for (const [what, argv, command] of [
    ['its opportunityId', ['--opportunity-id', "r 7's"], /^jobs list --opportunity-id='r 7'\\''s'$/],
    ['an opportunityId that looks like a flag', ['--opportunity-id=--x'], /^jobs list --opportunity-id=--x$/],
    ['its title', [], /^jobs list --limit 20$/],
  ] as const)
    it(`names the command that finds the job by ${what}, which runs as it is written`, async () => {
      await login();
      const run = await home.run(['jobs', 'create', '--title', 'Baker', ...argv]);
      assert.equal(run.code, 8);
      assert.match(hinted(run.stderr), command);
      const list = await home.run(words(hinted(run.stderr)));
      assert.equal(list.code, 0, list.stderr);
      assert.match(list.stdout, /Baker/);
    });

  it('names a command that goes where the call went', async () => {
    const env = { PARTNER_API_KEY: KEY };
    const run = await home.run(`jobs create --title Baker --base-url ${server.origin}/v1`, { env });
    assert.match((await home.run(words(hinted(run.stderr)), { env })).stdout, /Baker/);
    await login(' --no-switch');
    await home.run('auth switch bundled');
    const named = await home.run('jobs create --title Baker --profile acme');
    assert.match(hinted(named.stderr), /--profile acme$/);
    assert.match((await home.run(words(hinted(named.stderr)))).stdout, /Baker/);
  });

  it('is not sent again without --resend, and then under the same key', async () => {
    lists = false;
    await login();
    const create = async (flags = '') => (await home.run(`jobs create --title Baker${flags}`)).stderr;
    assert.match(await create(), /--resend/);
    assert.match(await create(), /didn't respond to a create.*Nothing was sent/);
    await create(' --resend');
    const sent = server.requests.filter(({ method }) => method === 'POST');
    assert.equal(sent.length, 2);
    assert.equal(sent[0]?.headers['idempotency-key'], sent[1]?.headers['idempotency-key']);
  });
});
