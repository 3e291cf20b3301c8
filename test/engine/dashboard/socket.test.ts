import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Engine, openEngine } from '../../../src/engine/open.ts';
import { type Served, serveEngine } from '../../../src/engine/serve.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const HOST = '127.0.0.1';

describe('the dashboard behind a socket', () => {
  const path = temporaryDirectory();
  let engine: Engine;
  let served: Served;
  let companyId: string;
  before(async () => {
    engine = await openEngine({ databasePath: path('partner.db'), placesPath: '' });
    companyId = (await engine.operator.defaultCompany()).id;
    served = await serveEngine({ engine, host: HOST, port: 0 });
  });
  after(async () => {
    await served.close();
    await engine.close();
  });

  const origin = () => `http://${HOST}:${served.port}`;

  /** Signs in as a browser does; gives the cookie. */
  async function signedIn(): Promise<string> {
    const { path: link } = await engine.signInLink(companyId);
    const answer = await fetch(`${origin()}${link}`, { redirect: 'manual' });
    assert.equal(answer.status, 303);
    return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  /** The answer's first bytes to a request whose lines are given. */
  async function asked(lines: readonly string[]): Promise<{ socket: Socket; head: string }> {
    const socket = connect(served.port, HOST);
    socket.on('error', () => {});
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [head] = await once(socket, 'data');
    return { socket, head: String(head) };
  }

  it('knows a forged Host, also in a request line that names another', async () => {
    const cookie = await signedIn();
    for (const [line, host] of [
      ['GET /dashboard HTTP/1.1', 'attacker.example'],
      ['GET /dashboard HTTP/1.1', `attacker.example:${served.port}`],
      [`GET http://attacker.example:${served.port}/dashboard HTTP/1.1`, HOST],
      [`GET http://${HOST}:${served.port}/dashboard HTTP/1.1`, 'attacker.example'],
    ] as const) {
      const { socket, head } = await asked([line, `Host: ${host}`, `Cookie: ${cookie}`]);
      assert.match(head, /^HTTP\/1\.1 421 /, `${line} Host: ${host}`);
      socket.destroy();
    }
  });
});
