import assert from 'node:assert/strict';
import type { RemoteOptions } from '../../scripts/contract/remote.ts';
import { contractRun } from '../../scripts/contract/run.ts';
import { type ContractReport, summaryText, type Verdict } from '../../scripts/contract/text.ts';
import type { Job } from '../../src/contract/job.ts';
import { fixture } from '../fixture.ts';
import { KEY, startSpecServer, type Variation } from '../spec-server/server.ts';
import { itAtLength } from '../times.ts';
import { openApplication } from './application.ts';
import { NO_SUCH_JOB } from './endpoints.ts';
import { TEST_OPPORTUNITY } from './listing.ts';
import { Partner } from './partner.ts';
import type { Subject } from './subject.ts';

function titles({ lines }: ContractReport, wanted: Verdict): string[] {
  return lines.filter(({ verdict }) => verdict === wanted).map(({ title }) => title);
}

function assertNoneBroken(report: ContractReport): void {
  const broken = report.lines.filter(({ verdict }) => verdict === 'broken');
  assert.deepEqual(broken, []);
}

describe('npm run contract', () => {
  const service = fixture('all tests', openApplication);
  // Each test needs a new company, because most sections list all of its jobs.
  const company = fixture('each test', async (): Promise<RemoteOptions> => {
    const { baseUrl, send, now } = service;
    const { key } = await Partner.of(service);
    return { baseUrl, key, send, now };
  });

  async function jobsOf({ baseUrl, key }: RemoteOptions): Promise<Job[]> {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await service.send(new Request(`${baseUrl}/jobs?limit=100`, { headers }));
    return ((await answer.json()) as { items: Job[] }).items;
  }

  it('finds that the bundled engine holds all of it, and leaves nothing live', async () => {
    const report = await contractRun({ ...company, publish: true });
    assert.deepEqual(new Set(report.lines.map(({ verdict }) => verdict)), new Set(['held']));
    assert.ok(report.lines.length > 90);
    const jobs = await jobsOf(company);
    const statuses = new Set(jobs.map(({ status }) => status));
    assert.deepEqual([statuses, report.live], [new Set(['DRAFT', 'CLOSED']), []]);
    for (const { opportunityId } of jobs) assert.equal(opportunityId, TEST_OPPORTUNITY);
    const drafts = jobs.filter(({ status }) => status === 'DRAFT').map(({ id }) => id);
    assert.deepEqual([...report.drafts].sort(), drafts.sort());
  });

  it('publishes nothing unless it is told to, and makes at most 30 drafts', async () => {
    const published: string[] = [];
    const send: Subject['send'] = async (request) => {
      const isPublication = /\/publish$/.test(request.url) && !request.url.includes(`/jobs/${NO_SUCH_JOB}/`);
      const isOurKey = request.headers.get('authorization') === `Bearer ${company.key}`;
      if (isPublication && isOurKey) published.push(request.url);
      return service.send(request);
    };
    const report = await contractRun({ ...company, send });
    assertNoneBroken(report);
    const notTried = report.lines.filter(({ verdict }) => verdict === 'not tried');
    assert.ok(
      notTried.length > 10 && notTried.some(({ reason }) => reason?.endsWith('which requires --publish')),
    );
    assert.deepEqual(published, []);
    const jobs = await jobsOf(company);
    assert.deepEqual(new Set(jobs.map(({ status }) => status)), new Set(['DRAFT']));
    assert.ok(jobs.length <= 30, `${jobs.length} drafts`);
  });

  it('closes what it published also where it is interrupted', async () => {
    const stop = new AbortController();
    const send: Subject['send'] = async (request) => {
      const answer = await service.send(request);
      if (((await answer.clone().json()) as Partial<Job>).status === 'ACTIVE') stop.abort();
      return answer;
    };
    const report = await contractRun({ ...company, send, publish: true }, stop.signal);
    assert.ok(report.lines.length < 90 && stop.signal.aborted);
    const statuses = (await jobsOf(company)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set(['DRAFT', 'CLOSED']));
  });

  type Lie = (answer: Response, request: Request) => Response | Promise<Response>;
  const WITHOUT_FIELDS = '{"error":{"code":"VALIDATION_FAILED","message":"no"}}';

  type Broken = readonly [sentence: RegExp, reason: RegExp, lie: Lie];
  /** For each faulty server: the rule it breaks and the expected message. */
  const LIARS: Readonly<Record<string, readonly Broken[]>> = {
    'answers a create with 200': [[/^4 createJob: POST/, /./, onStatus(201, (text) => [200, text])]],
    'leaves out a field of a job, answers a wrong key with 403 and a missing job with 422, forgets an update, and names no fields':
      [
        [/^2\.1 a create and a read/, /./, (answer) => changed(answer, ({ isFrozen: _, ...job }) => job)],
        [/^5\.2 an unknown key/, /answered 403.* instead of 401/, onStatus(401, (text) => [403, text])],
        [/^4 Update: 422/, /does not name/, onStatus(422, () => [422, WITHOUT_FIELDS])],
        [/^4 Get: 404 NOT_FOUND/, /answered 422.* instead of 404/, onStatus(404, (text) => [422, text])],
        [/^4 Update a job: PATCH/, /./, forgetful],
      ],
  };
  for (const [what, all] of Object.entries(LIARS))
    it(`fails a server that ${what}`, async () => {
      const send: Subject['send'] = async (request) => {
        let answer = await service.send(request.clone());
        for (const [, , lie] of all) answer = await lie(answer, request);
        return answer;
      };
      const { lines } = await contractRun({ ...company, send });
      for (const [sentence, told] of all) {
        const { verdict, reason } = lines.find(({ title }) => sentence.test(title)) ?? {};
        assert.equal(verdict, 'broken', `${sentence}`);
        assert.match(`${reason}`, told);
      }
    });

  type Server = readonly [
    test: typeof itAtLength,
    what: string,
    variation: Variation,
    extensions: readonly string[],
  ];
  const SERVERS: readonly Server[] = [
    [it, 'that knows the specification alone', {}, ['GET /jobs', 'POST /jobs/{id}/pause', 'Idempotency-Key']],
    [
      itAtLength,
      'that pauses, answers 202, and refuses a move with 422 and what it does not know with 401',
      {
        offersPause: true,
        success: { status: 202 },
        invalidTransitionStatus: 422,
        unknownRoute: { status: 401, body: '{"error":{"code":"FORBIDDEN","message":"no"}}' },
      },
      ['GET /jobs'],
    ],
  ];
  for (const [test, what, variation, extensions] of SERVERS)
    test(`takes a server ${what} for right, and says what it does not offer`, async () => {
      const report = await runOnServer(variation, { publish: true });
      assertNoneBroken(report);
      const reasons = report.lines.filter(({ verdict }) => verdict === 'not offered');
      for (const extension of extensions) assert.ok(reasons.some(({ reason }) => reason === extension));
      assert.match(summaryText(report), /^\d+ held, 0 broken, \d+ not offered, 0 not tried$/m);
    });

  it('finds broken what the specification says of an update in a server that answers it without a job', async () => {
    const report = await runOnServer({ success: { status: 204, isEmpty: true } });
    assert.ok(titles(report, 'broken').some((title) => title.startsWith('4 Update a job: PATCH')));
    assert.match(summaryText(report), /^Broken:\nbroken {7}\S.*\n {13}answered 204 without a job$/m);
  });

  itAtLength('is about all but places where the location search is asked with another word', async () => {
    const report = await contractRun({ ...company, queryParameter: 'query' });
    assertNoneBroken(report);
    assert.ok(report.lines.some(({ reason }) => reason?.includes('--query-parameter NAME')));
    assert.ok(titles(report, 'held').some((title) => title.startsWith('2.2 questions: the set sent')));
  });

  it('does not begin with a key that the server refuses', async () => {
    const run = contractRun({ ...company, key: 'sk_ext_of_nobody' });
    await assert.rejects(run, /POST \S+\/jobs returned 401 .*INVALID_SERVICE_KEY/);
  });
});

async function runOnServer(variation: Variation, options: { publish?: boolean } = {}) {
  const server = await startSpecServer(variation);
  return contractRun({ baseUrl: server.url, key: KEY, ...options }).finally(() => server.close());
}

function onStatus(status: number, change: (text: string) => [status: number, text: string]) {
  return async (answer: Response) => {
    if (answer.status !== status) return answer;
    const [changedStatus, text] = change(await answer.text());
    return new Response(text, { status: changedStatus, headers: answer.headers });
  };
}

function forgetful(answer: Response, { method }: Request): Response | Promise<Response> {
  return method === 'PATCH' ? changed(answer, (job) => ({ ...job, salaryMax: 1 })) : answer;
}

/** Leaves responses unchanged if they aren't a job. */
async function changed(answer: Response, change: (job: Job) => object): Promise<Response> {
  const body = (await answer.clone().json()) as Job;
  return typeof body.id === 'number' ? Response.json(change(body), { status: answer.status }) : answer;
}
