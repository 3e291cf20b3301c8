import assert from 'node:assert/strict';
import { fixture } from '../../fixture.ts';
import { engineFor } from '../engine-under-test.ts';
import { COMPLETE } from '../listing.ts';
import { copyJob } from '../store/copied-jobs.ts';
import { describeOnEach } from '../store/dialects.ts';
import { candidateOf } from './candidate.ts';
import OPENING from './opening.json' with { type: 'json' };

const DAY_MS = 24 * 60 * 60 * 1000;

describeOnEach('the jobs that candidates see', (kind) => {
  const engine = engineFor('each test', { kind });
  const candidate = fixture('each test', () => candidateOf(engine));

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
      questions: [
        { prompt: 'Second?', answerFormat: 'SINGLE_SELECT', options: ['yes', 'no'], order: 2 },
        { prompt: 'First?', answerFormat: 'DATE', order: 1 },
      ],
      opportunityId: 'secret',
      atsJobUrl: 'https://ats.example/secret',
      budgets: [{ window: 'DAILY', budgetCents: 9000, notes: 'secret' }],
    });
    const { body } = await candidate.get('/jobs');
    const shown = { ...OPENING, id, description: `${'Weld. '.repeat(49)}Ends…` };
    assert.deepEqual(body, { items: [shown], nextCursor: null });
    const { body: one } = await candidate.get(`/jobs/${id}`);
    const { qualifications, questions, ...opening } = one;
    assert.deepEqual(opening, { ...body.items[0], description });
    const withoutIds = (entries: { id: string }[]) => entries.map(({ id: _, ...entry }) => entry);
    assert.deepEqual(withoutIds(questions), [
      { prompt: 'First?', answerFormat: 'DATE', order: 1 },
      { prompt: 'Second?', answerFormat: 'SINGLE_SELECT', options: ['yes', 'no'], order: 2 },
    ]);
    assert.deepEqual(withoutIds(qualifications), COMPLETE.qualifications);
  });

  it('come a page at a time, none twice and none left out, also where most are hidden', async () => {
    const filled = [{ window: 'DAILY', budgetCents: 0 }];
    for (let made = 0; made < 7; made++)
      await candidate.publish(
        made % 2 === 0 ? { title: `Welder ${made}` } : { title: 'Cook', budgets: filled },
      );
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await candidate.get(`/jobs?limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(body.items.map(({ title }: { title: string }) => title));
      cursor = body.nextCursor;
    }
    const expected = [
      ['Welder 6', 'Welder 4'],
      ['Welder 2', 'Welder 0'],
    ];
    assert.deepEqual(pages, expected);
  });

  it('take no longer to list where a cap hides a thousand: the page ends early, and the next one goes on', async () => {
    const { body: shown } = await engine.call('POST', '/jobs', {
      ...COMPLETE,
      budgets: [],
      title: 'Shown',
      publish: true,
    });
    const { companyId, store, operator, now } = engine;
    const { id: otherId } = await operator.companies.create('Filled');
    await operator.dashboard.setBudgets(otherId, () => [{ window: 'DAILY', budgetCents: 0 }]);
    const { id: _, ...job } = (await store.read.jobs.find(companyId, shown.id)) ?? assert.fail();
    const hidden = await store.write(({ jobs }) => jobs.insert({ ...job, companyId: otherId }, now));
    await copyJob(await engine.database.tables(), hidden.id, 1_000);
    const { body } = await candidate.get('/jobs');
    assert.deepEqual(body.items, []);
    assert.notEqual(body.nextCursor, null);
    const next = await candidate.get(`/jobs?cursor=${body.nextCursor}`);
    const actual = [next.body.items.map(({ title }: { title: string }) => title), next.body.nextCursor];
    assert.deepEqual(actual, [['Shown'], null]);
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
    await engine.operator.dashboard.setBudgets(engine.companyId, () => [
      { window: 'MONTHLY', budgetCents: 2500 },
    ]);
    await candidate.apply(id);
    assert.deepEqual(await candidate.titles(), ['Cheaper']);
    await engine.operator.dashboard.setBudgets(engine.companyId, () => [
      { window: 'MONTHLY', budgetCents: 0 },
    ]);
    assert.deepEqual(await candidate.titles(), []);
  });

  it('answer 404 one by one where they are not ACTIVE, or cannot be', async () => {
    const { body: draft } = await engine.call('POST', '/jobs', COMPLETE);
    const { id: closed } = await candidate.publish();
    await engine.call('POST', `/jobs/${closed}/close`);
    const { id: expired } = await candidate.publish();
    engine.now += 30 * DAY_MS;
    for (const id of [draft.id, closed, expired, 99_999, 0, 'abc', '1e3', '9'.repeat(30), '../1'])
      assert.equal((await candidate.get(`/jobs/${id}`)).status, 404, String(id));
  });
});
