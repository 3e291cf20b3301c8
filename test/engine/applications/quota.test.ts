import assert from 'node:assert/strict';
import type { PlainResponse } from '../../../src/contract/http-messages.ts';
import { UPLOAD_QUOTAS } from '../../../src/engine/applications/files.ts';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { databaseFor } from '../store/dialects.ts';
import { candidateOf } from './candidate.ts';
import { PDF } from './documents.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ADDRESS = '203.0.113.9';
const URL_OF_CANDIDATES = 'http://jobs.example/candidate/v1';

describe('what anonymous candidates may take of an engine', () => {
  const database = databaseFor('each test');
  let engine: EngineUnderTest;
  const open = async (perSecond = 1_000) => {
    engine = await engineOn(database(), { candidateRateLimit: { perSecond } });
  };
  beforeEach(() => open());
  afterEach(() => engine.store.close());

  const from = (remoteAddress: string | undefined, address: string, init?: RequestInit) =>
    engine.fetch(new Request(`${URL_OF_CANDIDATES}${address}`, init), { remoteAddress });
  const upload = (remoteAddress: string | undefined, body: Uint8Array = PDF) =>
    from(remoteAddress, '/files?name=cv.pdf', {
      method: 'POST',
      body: body as BodyInit,
      headers: { 'content-length': String(body.byteLength) },
    });
  /** Stores the rows of `count` uploads without sending them. */
  const hold = (sender: string, count: number, bytes: number, uploadedAt = engine.now) =>
    engine.store.write(async ({ files }) => {
      for (let number = 0; number < count; number++) {
        const uploaded_at = new Date(uploadedAt).toISOString();
        const id = `fil_${sender}_${number}`;
        const row = { id, digest: id, name: 'cv.pdf', type: 'application/pdf', bytes, uploaded_at };
        await files.insert({ ...row, claimed_at: null, sender });
      }
    });
  const refusal = async (response: PlainResponse) => {
    const { error } = (await response.json()) as { error: { code: string } };
    return [response.status, error.code, response.headers.get('retry-after')];
  };

  it('is a number of bytes by address: 429 with the time until the oldest file goes, and others are served', async () => {
    const { bytes } = UPLOAD_QUOTAS.sender;
    await hold(ADDRESS, 1, bytes - PDF.byteLength, engine.now - DAY_MS + 60_000);
    assert.equal((await upload(ADDRESS)).status, 201);
    assert.deepEqual(await refusal(await upload(ADDRESS)), [429, 'RATE_LIMITED', '60']);
    assert.equal((await upload('203.0.113.10')).status, 201);
  });

  it('is a number of files by address, of which the /64 of an IPv6 address is one', async () => {
    await hold('2001:db8:0:1::/64', UPLOAD_QUOTAS.sender.files, 1);
    assert.equal((await upload('2001:db8:0:1::abcd')).status, 429);
    assert.equal((await upload('2001:db8:0:2::abcd')).status, 201);
  });

  it('is bounded for all of them together: 503 to everybody, and not to this process', async () => {
    await hold('elsewhere', 2, UPLOAD_QUOTAS.all.bytes / 2);
    assert.deepEqual(await refusal(await upload(ADDRESS)), [503, 'UNAVAILABLE', '86400']);
    assert.equal((await upload(undefined)).status, 201);
  });

  it('is refused before the body is read', async () => {
    await hold(ADDRESS, 1, UPLOAD_QUOTAS.sender.bytes);
    let pulled = 0;
    const body = new ReadableStream(
      { pull: (controller) => (pulled++ < 4 ? controller.enqueue(PDF) : controller.close()) },
      { highWaterMark: 0 },
    );
    const refused = await from(ADDRESS, '/files', { method: 'POST', body, duplex: 'half' } as RequestInit);
    assert.deepEqual([refused.status, pulled], [429, 0]);
  });

  it('comes back after 24 hours, and with an application that names the files', async () => {
    await hold(ADDRESS, 1, UPLOAD_QUOTAS.sender.bytes);
    engine.now += DAY_MS + 1;
    const { fileId } = (await (await upload(ADDRESS)).json()) as { fileId: string };
    assert.equal((await engine.store.read.files.sumWaiting(ADDRESS)).bytes, PDF.byteLength);
    const candidate = candidateOf(engine);
    const { id } = await candidate.publish();
    assert.equal((await candidate.apply(id, { resume: fileId })).status, 201);
    const expected = { files: 0, bytes: 0, oldestAt: undefined };
    assert.deepEqual(await engine.store.read.files.sumWaiting(ADDRESS), expected);
  });

  it('holds for uploads that come at the same time', async () => {
    await hold(ADDRESS, 1, UPLOAD_QUOTAS.sender.bytes - 3 * PDF.byteLength);
    const different = Array.from({ length: 12 }, (_, n) =>
      upload(ADDRESS, Buffer.concat([PDF.subarray(0, -1), Buffer.from([n + 48])])),
    );
    const statuses = (await Promise.all(different)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, 201, 201, ...Array.from({ length: 9 }, () => 429)]);
  });

  it('is a number of requests a second by address: 429 with Retry-After, and none for this process', async () => {
    await engine.store.close();
    await open(2);
    const statuses = async (address: string | undefined) => [
      (await from(address, '/jobs')).status,
      (await from(address, '/jobs')).status,
      (await from(address, '/jobs')).status,
    ];
    assert.deepEqual(await statuses(ADDRESS), [200, 200, 429]);
    assert.deepEqual(await refusal(await from(ADDRESS, '/jobs')), [429, 'RATE_LIMITED', '1']);
    assert.deepEqual(await statuses('203.0.113.10'), [200, 200, 429]);
    assert.deepEqual(await statuses(undefined), [200, 200, 200]);
    engine.now += 1_000;
    assert.equal((await from(ADDRESS, '/jobs')).status, 200);
  });
});
