import assert from 'node:assert/strict';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { COMPLETE } from '../listing.ts';
import { AUSTIN } from '../some-places.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { candidateOf } from './candidate.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const [MUNICH] = [{ locationId: 2867714, city: 'München', stateProvince: 'Bavaria', country: 'Germany' }];
const REMOTE = { remoteOption: 'REMOTE', locations: [] };

describe('the jobs that candidates see', () => {
  const path = temporaryDirectory();
  let engine: EngineUnderTest;
  let candidate: ReturnType<typeof candidateOf>;
  let databases = 0;
  beforeEach(async () => {
    engine = await engineOn(path(`openings-${++databases}.db`));
    candidate = candidateOf(engine);
  });
  afterEach(async () => {
    assert.deepEqual(engine.bugs, []);
    await engine.store.close();
  });

  it('are the ACTIVE ones, newest first, and no key is asked for', async () => {
    await engine.call('POST', '/jobs', { ...COMPLETE, title: 'Draft' });
    await candidate.publish({ title: 'Oldest' });
    const { id: paused } = await candidate.publish({ title: 'Paused' });
    await engine.call('POST', `/jobs/${paused}/pause`);
    const { id: closed } = await candidate.publish({ title: 'Closed' });
    await engine.call('POST', `/jobs/${closed}/close`);
    engine.now += DAY_MS;
    await candidate.publish({ title: 'Newest' });
    assert.deepEqual(await candidate.titles(), ['Newest', 'Oldest']);
    engine.now += 29 * DAY_MS;
    assert.deepEqual(await candidate.titles(), ['Newest']);
  });

  it('say what a candidate may know, and nothing of the bid, the caps or where the job comes from', async () => {
    const description = `${'Weld. '.repeat(49)}Ends 👩‍🔧👩‍🔧 here.`;
    const { id } = await candidate.publish({
      description,
      opportunityId: 'secret',
      atsJobUrl: 'https://ats.example/secret',
      budgets: [{ window: 'DAILY', budgetCents: 9000, notes: 'secret' }],
    });
    const { body } = await candidate.get('/jobs');
    assert.deepEqual(body, {
      items: [
        {
          id,
          title: 'Pipe welder',
          company: 'Acme',
          description: `${'Weld. '.repeat(49)}Ends…`,
          remoteOption: 'IN_PERSON',
          remoteCountry: null,
          jobType: 'FULL_TIME',
          jobLevel: 'MID',
          locations: [
            {
              locationId: AUSTIN.locationId,
              displayName: 'Austin, Texas, United States',
              city: 'Austin',
              stateProvince: 'Texas',
              country: 'United States',
            },
          ],
          salaryMin: 28,
          salaryMax: 36,
          salaryPeriod: 'HOURLY',
          publishedAt: '2026-03-02T09:00:00.000Z',
          expiresAt: '2026-04-01T09:00:00.000Z',
        },
      ],
      nextCursor: null,
    });
    const { body: one } = await candidate.get(`/jobs/${id}`);
    const { qualifications, questions, ...opening } = one;
    assert.deepEqual(opening, { ...body.items[0], description });
    assert.deepEqual([qualifications.length, questions], [2, []]);
  });

  it('come a page at a time, none twice and none left out, also where most are not wanted', async () => {
    for (let made = 0; made < 7; made++) {
      await candidate.publish({ title: made % 2 === 0 ? `Welder ${made}` : 'Cook' });
    }
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await candidate.get(`/jobs?q=welder&limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(body.items.map(({ title }: { title: string }) => title));
      cursor = body.nextCursor;
    }
    assert.deepEqual(pages, [
      ['Welder 6', 'Welder 4'],
      ['Welder 2', 'Welder 0'],
    ]);
  });

  it('are hidden while a window of their own is filled, can be applied to all the same, and come back', async () => {
    const { id } = await candidate.publish({ budgets: [{ window: 'DAILY', budgetCents: 1500 }] });
    assert.equal((await candidate.get('/jobs')).body.items.length, 1);
    assert.equal((await candidate.apply(id)).status, 201);
    assert.equal((await candidate.get('/jobs')).body.items.length, 0);
    assert.equal((await candidate.get(`/jobs/${id}`)).status, 200);
    assert.equal((await candidate.apply(id)).status, 201);
    engine.now += DAY_MS;
    assert.equal((await candidate.get('/jobs')).body.items.length, 1);
  });

  it("are all hidden while a window of their company's is filled, and those with a smaller bid are not", async () => {
    const { id } = await candidate.publish();
    await candidate.publish({ bidPerQualifiedApplicantCents: 500, title: 'Cheaper' });
    await engine.operator.dashboard.setBudgets(engine.companyId, [{ window: 'MONTHLY', budgetCents: 2500 }]);
    await candidate.apply(id);
    assert.deepEqual(await candidate.titles(), ['Cheaper']);
    await engine.operator.dashboard.setBudgets(engine.companyId, [{ window: 'MONTHLY', budgetCents: 0 }]);
    assert.deepEqual(await candidate.titles(), []);
  });

  const FOUND_BY_WORDS: readonly (readonly [q: string, isFound: boolean])[] = [
    ['welder', true],
    ['WELD', true],
    ['pipe stainless', true],
    ['stainless, pipe!', true],
    ['elder', false],
    ['pipe plumber', false],
    ['café', true],
    ['CAFE', true],
    ['muller', true],
    ['strasse', true],
    ['Straße', true],
    ['сварщик', true],
    ['СВАРЩИК', true],
    ['συγκολλητης', true],
    ['溶接', true],
    ['募集', true],
    ['C', true],
    ['c++', true],
    ['st', false],
    ['', true],
    ['%', true],
    ['_', true],
    ["' or 1=1 --", false],
  ];
  it('are found by words of title and description, in any language, whatever case and accents', async () => {
    await candidate.publish({
      title: 'Pipe Welder — Сварщик — ΣΥΓΚΟΛΛΗΤΗΣ',
      description: 'Stainless pipe at Café Müller in the Straße. 溶接工募集。 Some C++.',
    });
    for (const [q, isFound] of FOUND_BY_WORDS) {
      const { length } = await candidate.titles(`?q=${encodeURIComponent(q)}`);
      assert.equal(length, isFound ? 1 : 0, q);
    }
  });

  const FOUND_AT: readonly (readonly [location: string, titles: readonly string[]])[] = [
    ['Austin', ['Both', 'Texas']],
    ['austin, texas', ['Both', 'Texas']],
    ['texas', ['Both', 'Texas']],
    ['TX', ['Both', 'Texas']],
    ['united states', ['Anywhere', 'Both', 'Texas']],
    ['USA', ['Anywhere', 'Both', 'Texas']],
    ['us', ['Anywhere', 'Both', 'Texas']],
    ['muenchen', []],
    ['munchen', ['Both', 'Munich']],
    ['MÜNCHEN', ['Both', 'Munich']],
    ['Bavaria, Germany', ['Both', 'Munich']],
    ['DE', ['Both', 'Munich']],
    ['Austin, Germany', []],
    ['nowhere', []],
    [' ', ['Anywhere', 'Both', 'Munich', 'Texas']],
  ];
  it('are found by place, one of theirs as a whole, and remote ones by country', async () => {
    const { locations } = COMPLETE;
    await candidate.publish({ title: 'Texas' });
    await candidate.publish({ title: 'Munich', locations: [MUNICH] });
    await candidate.publish({ title: 'Both', locations: [...locations, MUNICH] });
    await candidate.publish({ ...REMOTE, title: 'Anywhere', remoteCountry: 'US' });
    for (const [location, titles] of FOUND_AT) {
      const found = await candidate.titles(`?location=${encodeURIComponent(location)}`);
      assert.deepEqual(found, titles, location);
    }
  });

  it('are found by remote, type and level, and by all of it together', async () => {
    await candidate.publish({ title: 'A', jobType: 'CONTRACT', jobLevel: 'ENTRY' });
    await candidate.publish({ title: 'B', jobType: 'CONTRACT', jobLevel: 'SENIOR' });
    await candidate.publish({ ...REMOTE, title: 'C', remoteCountry: 'Canada', jobLevel: 'SENIOR' });
    assert.deepEqual(await candidate.titles('?type=CONTRACT'), ['B', 'A']);
    assert.deepEqual(await candidate.titles('?level=SENIOR'), ['C', 'B']);
    assert.deepEqual(await candidate.titles('?remote=REMOTE'), ['C']);
    assert.deepEqual(await candidate.titles('?remote=REMOTE&type=CONTRACT'), []);
    assert.deepEqual(await candidate.titles('?level=SENIOR&type=CONTRACT&q=stainless&location=austin'), [
      'B',
    ]);
  });

  it('answer 422 to a query that cannot be, with every parameter that is wrong', async () => {
    const { status, body } = await candidate.get('/jobs?remote=HYBRD&type=x&level=y&limit=0&cursor=z');
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.error.fields), ['remote', 'type', 'level', 'limit', 'cursor']);
    assert.match(body.error.fields.remote, /did you mean HYBRID\?$/);
  });

  it('answer 200 with their questions and qualifications, in the order in which they are asked', async () => {
    const { id } = await candidate.publish({
      questions: [
        { prompt: 'Second?', answerFormat: 'SINGLE_SELECT', options: ['yes', 'no'], order: 2 },
        { prompt: 'First?', answerFormat: 'DATE', order: 1 },
      ],
    });
    const { status, body } = await candidate.get(`/jobs/${id}`);
    assert.equal(status, 200);
    const withoutIds = (entries: { id: string }[]) => entries.map(({ id: _, ...entry }) => entry);
    assert.deepEqual(withoutIds(body.questions), [
      { prompt: 'First?', answerFormat: 'DATE', order: 1 },
      { prompt: 'Second?', answerFormat: 'SINGLE_SELECT', options: ['yes', 'no'], order: 2 },
    ]);
    assert.deepEqual(withoutIds(body.qualifications), COMPLETE.qualifications);
  });

  it('answer 404 one by one where they are not ACTIVE, or cannot be', async () => {
    const { body: draft } = await engine.call('POST', '/jobs', COMPLETE);
    const { id: closed } = await candidate.publish();
    await engine.call('POST', `/jobs/${closed}/close`);
    const { id: expired } = await candidate.publish();
    engine.now += 30 * DAY_MS;
    for (const id of [draft.id, closed, expired, 99_999, 0, 'abc', '1e3', '9'.repeat(30), '../1']) {
      assert.equal((await candidate.get(`/jobs/${id}`)).status, 404, String(id));
    }
  });

  it('stand at addresses of their own: 404 and 405 in the envelope elsewhere', async () => {
    for (const address of ['', '/', '/jobs/1/applications/2', '/v1/jobs']) {
      const { status, body } = await candidate.get(address);
      assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], address);
    }
    const { status, headers, body } = await candidate.send('DELETE', '/jobs');
    assert.deepEqual([status, headers.get('allow'), body.error.code], [405, 'GET', 'METHOD_NOT_ALLOWED']);
    assert.equal((await candidate.get('/files')).status, 405);
  });
});
