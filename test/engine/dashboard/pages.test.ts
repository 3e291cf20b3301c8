import assert from 'node:assert/strict';
import type { ApplicationInput } from '../../../src/contract/application.ts';
import type { JobInput } from '../../../src/contract/job.ts';
import { formatCents } from '../../../src/contract/words.ts';
import { receiveApplication } from '../../../src/engine/applications/receive.ts';
import { fixture } from '../../fixture.ts';
import { PDF } from '../applications/documents.ts';
import { somebodyElse } from '../applications/somebody.ts';
import { COMPLETE } from '../listing.ts';
import { storeApplication } from '../stored-application.ts';
import { dashboardFor } from './dashboard-under-test.ts';

const BID = COMPLETE.bidPerQualifiedApplicantCents;
const MARKUP = `<img src=x onerror=alert(1)>"'&amp;`;
const ESCAPED = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;amp;';

describe('the pages of the dashboard', () => {
  const dashboard = dashboardFor('each test');
  const browser = fixture('each test', () => dashboard.signedIn());

  const createJob = async (changes: Partial<JobInput> = {}): Promise<number> => {
    const { body } = await dashboard.engine.call('POST', '/jobs', { ...COMPLETE, ...changes });
    return body.id;
  };

  const somebody = somebodyElse();
  const apply = async (jobId: number, changes: Partial<ApplicationInput> = {}): Promise<number> => {
    const { store, files, companyId, now } = dashboard.engine;
    const job = await store.read.jobs.find(companyId, jobId);
    const { fileId } = await files.put({ name: 'cv.pdf', content: PDF, now });
    const input = somebody({
      resume: fileId,
      answers: Object.fromEntries(
        (job?.questions ?? []).map(({ id, answerFormat }) => [id, answerFormat === 'NUMBER' ? 3 : ['first']]),
      ),
      meets: job?.qualifications.map(({ id }) => id) ?? [],
      ...changes,
    });
    return (await store.write((queries) => receiveApplication(queries, jobId, input, now))).id;
  };

  const status = () => dashboard.engine.operator.dashboard.status(dashboard.engine.companyId);

  it('show what others have written as text, and none of it as markup', async () => {
    const id = await createJob({
      publish: true,
      title: MARKUP,
      description: MARKUP,
      opportunityId: MARKUP,
      qualifications: [{ text: MARKUP, kind: 'REQUIRED', order: 1 }],
      questions: [{ prompt: MARKUP, answerFormat: 'SINGLE_SELECT', options: [MARKUP], order: 1 }],
      budgets: [{ window: 'DAILY', budgetCents: 9000, notes: MARKUP }],
    });
    const job = await dashboard.engine.store.read.jobs.find(dashboard.engine.companyId, id);
    const answers = { [job?.questions[0]?.id ?? '']: MARKUP };
    await apply(id, { firstName: MARKUP, lastName: MARKUP, location: MARKUP, answers });
    for (const address of ['/dashboard', `/dashboard/jobs/${id}`, '/dashboard/billing']) {
      const { text, status } = await browser.get(address);
      assert.equal(status, 200);
      assert.ok(text.includes(ESCAPED), address);
      assert.ok(!text.includes('<img'), address);
    }
  });

  it('hold nothing that a strict policy refuses: no script, no style and no address of elsewhere in them', async () => {
    const id = await createJob({ publish: true });
    await apply(id);
    for (const path of ['', `/jobs/${id}`, '/billing', '/terms', '/keys']) {
      const { text, headers } = await browser.get(`/dashboard${path}`);
      const expected = /<script|<style|\sstyle=|\son\w+=|javascript:|(?:src|href|action)="https?:/i;
      assert.doesNotMatch(text, expected, path);
      assert.match(headers.get('cache-control') ?? '', /no-store/);
    }
  });

  it('make a link of an http or https address on the ATS, and of no other URI', async () => {
    const contentOf = async (atsJobUrl: string) =>
      (await browser.get(`/dashboard/jobs/${await createJob({ atsJobUrl })}`)).text;
    const expected = /<a href="https:\/\/ats\.example\/jobs\/1\?a=b&amp;c=d" rel="noopener noreferrer">/;
    assert.match(await contentOf('https://ats.example/jobs/1?a=b&c=d'), expected);
    for (const uri of ['javascript:alert(1)', 'data:text/html,a', 'mailto:jobs@ats.example', 'x-ats:4711']) {
      const text = await contentOf(uri);
      assert.ok(text.includes(`<bdi>${uri}</bdi>`), uri);
      assert.ok(!text.includes(`href="${uri}`), uri);
    }
  });

  it('have no skipped charge on an invoice, and say on the job what was delivered free of charge', async () => {
    const id = await createJob({ publish: true, budgets: [{ window: 'DAILY', budgetCents: BID }] });
    for (let count = 0; count < 3; count++) await apply(id);
    const billing = (await browser.get('/dashboard/billing')).text;
    assert.match(billing, /<tfoot><tr><th scope="row">Total<\/th><td class="number">1<\/td>/);
    assert.doesNotMatch(billing.slice(0, billing.indexOf('id="company-budget"')), /skipped|free of charge/i);
    assert.match(
      (await browser.get(`/dashboard/jobs/${id}`)).text,
      /1 charge: \$[\d.]+\. Delivered free of charge: 2 applications, \$[\d.]+ never charged\./,
    );
  });

  it('name twenty jobs of an invoice and add the others up: the CSV names all', async () => {
    for (let count = 0; count < 22; count++) await apply(await createJob({ publish: true, questions: [] }));
    const { text } = await browser.get('/dashboard/billing');
    const rows = [
      ...text.matchAll(/<tr><th scope="row">(All other jobs|Total|<a href="[^"]*jobs).*?<\/tr>/g),
    ];
    const others = rows.at(-2)?.[0] ?? '';
    assert.equal(rows.length, 22);
    assert.match(others, /All other jobs <span class="meta">in the CSV<\/span><\/th><td class="number">2</);
    assert.ok(others.includes(formatCents(2 * BID)));
    assert.match(rows.at(-1)?.[0] ?? '', /Total<\/th><td class="number">22</);
    const csv = await browser.get('/dashboard/billing/invoice.csv');
    assert.equal(csv.text.trimEnd().split('\r\n').length, 23);
  });

  it('count as new what came since a job was last opened', async () => {
    const id = await createJob({ publish: true });
    await apply(id);
    await browser.get(`/dashboard/jobs/${id}`);
    await apply(id, { firstName: 'Grace' });
    assert.match((await browser.get('/dashboard')).text, /1 new/);
    assert.match((await browser.get(`/dashboard/jobs/${id}`)).text, />1 new</);
    assert.equal((await dashboard.engine.call('GET', `/jobs/${id}`)).body.newApplicantCount, 0);

    await apply(id);
    // HEAD and prefetch requests don't mark applications as seen.
    await browser.head(`/dashboard/jobs/${id}`);
    for (const headers of [{ 'sec-purpose': 'prefetch' }, { 'x-moz': 'prefetch' }, { purpose: 'preview' }])
      await browser.get(`/dashboard/jobs/${id}`, headers);
    assert.equal((await dashboard.engine.call('GET', `/jobs/${id}`)).body.newApplicantCount, 1);
  });

  const countRows = (text: string) => text.match(/<th scope="row">/g)?.length;

  it('show for each job its applicants, the fullest cap, and why candidates or the gate stop it', async () => {
    const budgets = [
      { window: 'DAILY', budgetCents: BID + 1 } as const,
      { window: 'LIFETIME', budgetCents: 90_000 } as const,
    ];
    const id = await createJob({ publish: true, budgets });
    await apply(id);
    await createJob({ title: 'Draft', jobType: null });
    const { text } = await browser.get('/dashboard');
    const [draft = '', live = ''] = [...text.matchAll(/<tr>\n<th scope="row">.*?<\/tr>/gs)].map(
      ([row]) => row,
    );
    assert.match(draft, /Draft<\/bdi><\/a>.*1 problem/s);
    assert.match(live, /Daily cap filled.*in 30 days.*1 new<\/span> 1<\/td>.*>0<.*>0</s);
    assert.ok(live.includes(`${formatCents(BID)} of ${formatCents(BID + 1)} daily`), live);
  });

  it('find jobs by a part of their titles, in every state, and keep the search from page to page', async () => {
    for (let index = 0; index < 26; index++) await createJob({ title: `Night Welder ${index}` });
    await createJob({ title: '100% "remote" <b>', publish: true });
    const found = (await browser.get('/dashboard?title=WELDER&status=CLOSED')).text;
    assert.equal(countRows(found), 25);
    const older = /href="(\/dashboard\?[^"]+)">Older/.exec(found)?.[1]?.replaceAll('&amp;', '&') ?? '';
    assert.match((await browser.get(older)).text, /Night Welder 0</);
    const exact = (await browser.get(`/dashboard?title=${encodeURIComponent('0% "Remote" <B>')}`)).text;
    assert.equal(countRows(exact), 1);
    assert.match(exact, /value="0% &quot;Remote&quot; &lt;B&gt;"/);
    for (const none of ['_ight', 'nobody%00', '%5C'])
      assert.match((await browser.get(`/dashboard?title=${none}`)).text, /No job has “<bdi>/);
  });

  it('turn over long lists by page, filtered or not, and take an unknown filter for none', async () => {
    for (let index = 0; index < 26; index++) await createJob({ title: `Welder ${index}.` });
    const live = await createJob({ publish: true });
    const first = (await browser.get('/dashboard')).text;
    assert.equal(countRows(first), 25);
    const drafts = (await browser.get('/dashboard?status=DRAFT')).text;
    const next = /href="(\/dashboard\?[^"]+)">Older/.exec(drafts)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = (await browser.get(next)).text;
    assert.match(second, /Welder 0\./);
    assert.equal(countRows(second), 1);
    assert.match(second, /href="\/dashboard\?status=DRAFT">Back to the newest/);
    assert.equal((await browser.get('/dashboard?status=none&before=x')).text, first);

    for (let index = 0; index < 21; index++) await apply(live);
    const page = (await browser.get(`/dashboard/jobs/${live}?status=pending`)).text;
    assert.equal(page.match(/id="application-/g)?.length, 20);
    const older = /href="(\/dashboard\/jobs\/[^"]+)">Older/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    assert.match((await browser.get(older)).text, /id="application-1"/);
  });

  it('end early where the answers of applications are large, and go on behind the last one shown', async () => {
    const id = await createJob({ publish: true });
    const answers = [{ questionId: 'q', answer: 'x'.repeat(700 * 1024) }];
    for (let index = 0; index < 3; index++)
      await dashboard.engine.store.write((queries) =>
        storeApplication(queries, id, 'pending', '2026-03-02T09:00:00.000Z', answers),
      );
    let address: string | undefined = `/dashboard/jobs/${id}`;
    for (const shown of [3, 2, 1]) {
      const page: string = (await browser.get(address ?? '')).text;
      assert.deepEqual(page.match(/id="application-\d+"/g), [`id="application-${shown}"`]);
      address = /href="(\/dashboard\/jobs\/[^"]+)">Older/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(address, undefined);
  });

  it("take the company's caps in dollars: what is no amount changes nothing, an empty field is no cap", async () => {
    const { operator, companyId } = dashboard.engine;
    await operator.dashboard.setBudgets(companyId, () => [
      { window: 'DAILY', budgetCents: 5000, notes: 'agreed with Kim' },
      { window: 'LIFETIME', budgetCents: 90_000 },
    ]);
    const wrong = await browser.post('/dashboard/billing/budget', { DAILY: '10', WEEKLY: '<b>lots</b>' });
    assert.equal(wrong.status, 422);
    assert.match(
      wrong.text,
      /value="&lt;b&gt;lots&lt;\/b&gt;" aria-describedby="cap-weekly-fault[^>]*aria-invalid="true"/,
    );
    assert.equal((await status()).budgets.length, 2);

    const typed = { DAILY: '75.50', MONTHLY: '0', LIFETIME: '' };
    const { headers } = await browser.post('/dashboard/billing/budget', typed);
    assert.equal(headers.get('location'), '/dashboard/billing?done=budget-set');
    const { budgets } = await status();
    const actual = budgets.map(({ window, budgetCents, notes }) => [window, budgetCents, notes ?? null]);
    assert.deepEqual(actual, [
      ['DAILY', 7550, 'agreed with Kim'],
      ['MONTHLY', 0, null],
    ]);
  });

  it('put a test card on file, and neither take nor repeat nor keep the number of another', async () => {
    const { operator, companyId } = dashboard.engine;
    await operator.dashboard.removeCard(companyId);
    const number = '4111111111111111';
    const { text } = await browser.post('/dashboard/billing/card', { card: number });
    assert.ok(!text.includes(number));
    assert.deepEqual((await status()).card, { brand: 'visa', last4: '4242' });
    assert.match((await browser.get('/dashboard/billing')).text, /Visa.*4242/);
    await browser.post('/dashboard/billing/card/remove');
    assert.equal((await status()).card, null);
  });

  it('give a resume to be saved under its name, and nothing that a candidate has only written', async () => {
    const id = await createJob({
      publish: true,
      questions: [
        { prompt: 'Portfolio', answerFormat: 'FILE', order: 1 },
        { prompt: 'Motto', answerFormat: 'TEXT', order: 2 },
      ],
    });
    const { store, files, companyId, now } = dashboard.engine;
    const [file, text] = (await store.read.jobs.find(companyId, id))?.questions ?? [];
    const { fileId } = await files.put({ name: 'welds.pdf', content: PDF, now });
    const answers = { [file?.id ?? '']: fileId, [text?.id ?? '']: fileId };
    const application = await apply(id, { answers });
    const resume = await browser.get(`/dashboard/applications/${application}/resume`);
    assert.match(resume.headers.get('content-disposition') ?? '', /^attachment; filename="cv\.pdf"/);
    assert.equal(resume.text, PDF.toString('latin1'));
    const portfolio = await browser.get(`/dashboard/applications/${application}/answers/${file?.id}`);
    assert.match(portfolio.headers.get('content-disposition') ?? '', /welds\.pdf/);
    const motto = await browser.get(`/dashboard/applications/${application}/answers/${text?.id}`);
    assert.equal(motto.status, 404);
  });

  it('have the invoice of a month as CSV, which no spreadsheet runs; what is no month is refused', async () => {
    const id = await createJob({ publish: true, title: '=1+1,\n"x"' });
    await apply(id);
    const csv = await browser.get('/dashboard/billing/invoice.csv?month=2026-03');
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
    const { text } = await browser.get('/dashboard/billing?month=2026-03');
    assert.match(text, /<th scope="row">2<\/th><td><svg[^>]*>.*<\/svg><\/td><td class="number">\$/);
    assert.equal(csv.text, `JOB,TITLE,CHARGES,CHARGED_CENTS\r\n${id},"'=1+1, ""x""",1,${BID}\r\n`);
    for (const month of ['2026-13', 'all', 'x', '2026-3', '<b>']) {
      const address = `/dashboard/billing?month=${encodeURIComponent(month)}`;
      assert.equal((await browser.get(address)).status, 422, month);
    }
  });
});
