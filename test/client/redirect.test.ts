import assert from 'node:assert/strict';
import type { PartnerError } from '../../src/contract/errors.ts';
import type { TextRequest } from '../../src/contract/http-messages.ts';
import { clientOn, failureOf, KEY } from './client-under-test.ts';
import { connectionsOfEachTest, type RealServer } from './real-server.ts';

describe('a redirect', () => {
  const { servers, newNetwork } = connectionsOfEachTest();

  const clientAt = ({ origin }: RealServer) =>
    clientOn(newNetwork().send, { baseUrl: `${origin}/v1` }).client;
  const answering = (status: number, location: string) =>
    servers.listen((arrived, _, response) => {
      if (arrived.url?.startsWith('/v1')) response.writeHead(status, { location }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":12}');
    });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} to another origin is refused, and the key never arrives there`, async () => {
      const thief = await servers.listen((_, __, response) => response.end('{}'));
      const server = await answering(status, `${thief.origin}/v1/jobs`);
      const client = clientAt(server);
      for (const call of [() => client.getJob(12), () => client.transition('close', 12)]) {
        const error = await failureOf(call(), 'ANSWER_UNREADABLE');
        assert.ok(error.message.endsWith(`another origin, ${thief.origin}. The key was not sent there`));
      }
      const created = await client.createJob({}).catch((thrown: PartnerError) => thrown);
      // A 303 means that the request was carried out.
      assert.equal(created.code, status === 303 ? 'OUTCOME_UNKNOWN' : 'ANSWER_UNREADABLE');
      assert.equal(server.requests.length, 3);
      assert.equal(thief.connections, 0);
    });

    it(`${status} on the same origin is followed by a GET, with the key`, async () => {
      const server = await answering(status, '/moved/jobs/12?x=1');
      assert.deepEqual(await clientAt(server).getJob(12), { id: 12 });
      const sent = server.requests.map(({ method, url }) => `${method} ${url}`);
      assert.deepEqual(sent, ['GET /v1/jobs/12', 'GET /moved/jobs/12?x=1']);
      assert.equal(server.requests[1]?.headers.authorization, `Bearer ${KEY}`);
    });
  }

  it('to an address with a user and a password is refused, and they are sent nowhere', async () => {
    const server: RealServer = await servers.listen((_, __, response) =>
      response.writeHead(307, { location: `${server.origin.replace('//', '//user:pass@')}/v1/x` }).end(),
    );
    const client = clientAt(server);
    for (const call of [client.getJob(12), client.createJob({})]) {
      const error = await failureOf(call, 'ANSWER_UNREADABLE');
      assert.match(
        error.message,
        /redirects to a URL with a user name or password\. Such redirects aren't followed$/,
      );
    }
    assert.equal(server.requests.length, 2);
  });

  it('to a scheme that has no origin is refused by its name', async () => {
    const server = await answering(307, 'javascript:alert(1)');
    const error = await failureOf(clientAt(server).getJob(12), 'ANSWER_UNREADABLE');
    assert.match(error.message, /redirects to another origin, javascript:\. The key/);
  });

  it('307 and 308 on the same origin keep the method, the body and the Idempotency-Key of a create', async () => {
    for (const status of [307, 308]) {
      const server = await answering(status, '/moved/jobs');
      await clientAt(server).createJob({ title: 'Welder' });
      const [first, second] = server.requests;
      const sent = [second?.method, second?.url, second?.body];
      assert.deepEqual(sent, ['POST', '/moved/jobs', '{"title":"Welder"}']);
      assert.equal(second?.headers['idempotency-key'], first?.headers['idempotency-key']);
      assert.equal(second?.headers['content-type'], 'application/json');
    }
  });

  it('301, 302 and 303 are refused for a change, which they would turn into a read', async () => {
    for (const status of [301, 302, 303]) {
      const server = await answering(status, '/moved/jobs/12');
      const error = await failureOf(clientAt(server).updateJob(12, { title: 'x' }), 'ANSWER_UNREADABLE');
      assert.match(error.message, /redirects a PATCH to \/moved\/jobs\/12/);
      assert.match(error.hint ?? '', /--base-url/);
      assert.equal(server.requests.length, 1);
    }
  });

  it('301 and 302 to a create are OUTCOME_UNKNOWN, and not followed', async () => {
    for (const status of [301, 302]) {
      const server = await answering(status, '/moved/jobs/12');
      await failureOf(clientAt(server).createJob({ title: 'x' }), 'OUTCOME_UNKNOWN');
      assert.equal(server.requests.length, 1);
    }
  });

  it('is followed five times and no more', async () => {
    const server = await answering(302, '/v1/jobs/12');
    await failureOf(clientAt(server).getJob(12), 'ANSWER_UNREADABLE');
    assert.equal(server.requests.length, 6);
  });

  it('is never followed by a plain fetch of the request either, which would hand on the key', async () => {
    const send = async (request: TextRequest) => {
      await assert.rejects(fetch(request as never), TypeError);
      return Response.json({ id: 12 });
    };
    await clientOn(send).client.getJob(12);
  });
});
