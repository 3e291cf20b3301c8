import assert from 'node:assert/strict';
import type { Job, LocationSuggestion } from '../../src/contract/job.ts';
import { fixture } from '../fixture.ts';
import { DAY_MS } from './listing.ts';
import { type Answer, itemsIn, Partner } from './partner.ts';
import { assertInvalid } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Decisions 4 and 5. */
export function decisionsOnReading(subject: () => Subject): void {
  describe('decision 4, the location search', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));

    async function search(parameters: Record<string, string>): Promise<LocationSuggestion[]> {
      return itemsIn(await partner.search(`?${new URLSearchParams(parameters)}`));
    }

    it('decision 4, `q` is required and has at least one character: otherwise 422 `fields.q`', async () => {
      for (const query of ['', '?q=', '?q=%20%20', '?limit=5', '?query=boston'])
        assertInvalid(await partner.search(query), 'q');
      assert.ok((await search({ q: 'x' })).length > 0);
    });

    it('decision 4, `q` has at most 200 characters and 10 words: otherwise 422 `fields.q`', async () => {
      const words = (count: number) => Array.from({ length: count }, () => 'saint');
      for (const q of ['x'.repeat(201), words(11).join(' '), words(11).join(','), 'a,'.repeat(2_000)])
        assertInvalid(await partner.search(`?${new URLSearchParams({ q })}`), 'q');
      for (const q of ['x'.repeat(200), words(10).join(' '), `St. Kitts & Nevis, ${words(7).join(' ')}`])
        await search({ q });
    });

    it('decision 4, `limit` is 1 to 50, default 10', async () => {
      assert.equal((await search({ q: 'san' })).length, 10);
      for (const limit of [1, 10, 50])
        assert.equal((await search({ q: 'san', limit: String(limit) })).length, limit);
      for (const limit of ['0', '51', '-1', '1.5', 'ten', '', '1e1'])
        assertInvalid(await partner.search(`?q=san&limit=${limit}`), 'limit');
    });

    for (const country of ['DE', 'de', 'Germany', 'germany'])
      it(`decision 4, \`country\` ${country} leaves the places of one country`, async () => {
        const places = await search({ q: 'b', country, limit: '50' });
        assert.equal(places.length, 50);
        for (const place of places) assert.equal(place.country, 'Germany');
      });

    it('decision 4, best match first: as it is typed, by another name, with its area', async () => {
      for (const [q, name] of [
        ['bost', 'Boston, Massachusetts, United States'],
        ['  MUENCHEN ', 'Munich, Bavaria, Germany'],
        ['paris texas', 'Paris, Texas, United States'],
      ] as const)
        assert.equal((await search({ q }))[0]?.displayName, name);
    });

    it('decision 4, text that means something to a database is text', async () => {
      for (const q of ['%', '_', "'", '"', 'a"b', '*', 'bost*', '-', '(', 'a OR b', '\u0000', '🙂']) {
        const answer = await partner.search(`?${new URLSearchParams({ q })}`);
        assert.equal(answer.status, 200, `${q} answered ${JSON.stringify(answer.body)}`);
      }
      assert.equal((await search({ q: "O'Fallon" }))[0]?.city, "O'Fallon");
    });
  });

  describe('decision 5, on any server', () => {
    it('decision 5, GET /jobs begins with the newest job, as GET /jobs/{id} answers it @any-server', async () => {
      const partner = await Partner.of(subject());
      const job = await partner.draft();
      const newest = itemsIn(await partner.list()).find(({ id }) => id === job.id);
      assert.deepEqual(newest, await partner.job(job.id));
    });
  });

  describe('decision 5, the list of jobs', () => {
    let jobs: Job[];

    const partner = fixture('all tests', () => Partner.of(subject()));
    before(async () => {
      await partner.live({ opportunityId: 'OPP-1' });
      await subject().passTime(partner.companyId, 30 * DAY_MS);
      await partner.draft({ opportunityId: 'OPP-1' });
      await partner.live({ opportunityId: 'OPP-2' });
      await partner.jobThatIs('PAUSED');
      await partner.jobThatIs('CLOSED');
      jobs = itemsIn(await partner.list());
    });

    async function pages(query: string): Promise<Job[][]> {
      const seen: Job[][] = [];
      let cursor: string | null = null;
      do {
        const next: string = cursor === null ? query : `${query}&cursor=${encodeURIComponent(cursor)}`;
        const answer: Answer = await partner.list(`?${next}`);
        seen.push(itemsIn(answer));
        cursor = (answer.body as { nextCursor: string | null }).nextCursor;
        assert.ok(seen.length < 20, 'the pages never end');
      } while (cursor !== null);
      return seen;
    }

    it('decision 5, GET /jobs answers { items: [Job], nextCursor }, newest first, each as GET /jobs/{id} does', async () => {
      const answer = await partner.list();
      assert.deepEqual(Object.keys(answer.body as object).sort(), ['items', 'nextCursor']);
      assert.equal((answer.body as { nextCursor: unknown }).nextCursor, null);
      const statuses = jobs.map(({ status }) => status);
      assert.deepEqual(statuses, ['CLOSED', 'PAUSED', 'ACTIVE', 'DRAFT', 'EXPIRED']);
      for (const job of jobs) assert.deepEqual(await partner.job(job.id), job);
    });

    for (const status of ['DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'EXPIRED'] as const)
      it(`decision 5, \`status=${status}\` leaves the jobs that are ${status} now = 2.1 status: one of DRAFT, ACTIVE, PAUSED, CLOSED, EXPIRED`, async () => {
        const wanted = jobs.filter((job) => job.status === status);
        assert.equal(wanted.length, 1);
        assert.deepEqual(itemsIn(await partner.list(`?status=${status}`)), wanted);
      });

    it('decision 5, `opportunityId` leaves the jobs of one opening, also together with `status`', async () => {
      const wanted = jobs.filter((job) => job.opportunityId === 'OPP-1');
      assert.equal(wanted.length, 2);
      assert.deepEqual(itemsIn(await partner.list('?opportunityId=OPP-1')), wanted);
      const drafts = wanted.filter((job) => job.status === 'DRAFT');
      assert.deepEqual(itemsIn(await partner.list('?opportunityId=OPP-1&status=DRAFT')), drafts);
      assert.deepEqual(itemsIn(await partner.list('?opportunityId=OPP-')), []);
    });

    it('decision 5, a status that does not exist is refused', async () => {
      for (const status of ['LIVE', 'active'])
        assertInvalid(await partner.list(`?status=${status}`), 'status');
    });

    it('decision 5, `limit` is 1 to 100', async () => {
      assert.deepEqual(itemsIn(await partner.list('?limit=1')), jobs.slice(0, 1));
      assert.deepEqual(itemsIn(await partner.list('?limit=100')), jobs);
      for (const limit of ['0', '101', '-1', '1.5', 'ten', ''])
        assertInvalid(await partner.list(`?limit=${limit}`), 'limit');
    });

    it('decision 5, the pages hold every job once, in order, under a filter too', async () => {
      assert.deepEqual((await pages('limit=2')).flat(), jobs);
      assert.deepEqual((await pages('limit=1')).flat(), jobs);
      const opening = jobs.filter((job) => job.opportunityId === 'OPP-1');
      assert.deepEqual((await pages('limit=1&opportunityId=OPP-1')).flat(), opening);
      const lengths = (await pages('limit=5')).map((page) => page.length);
      assert.deepEqual(lengths, [5]);
    });

    it('decision 5, a job that is created between two pages moves no other one', async () => {
      const company = await Partner.of(subject());
      const [first, second] = [await company.draft(), await company.draft()];
      const page = await company.list('?limit=1');
      assert.deepEqual(itemsIn(page), [second]);
      await company.draft();
      const { nextCursor } = page.body as { nextCursor: string };
      const actual = itemsIn(await company.list(`?limit=1&cursor=${encodeURIComponent(nextCursor)}`));
      assert.deepEqual(actual, [first]);
    });

    it('decision 5, the default page is 50 jobs', async () => {
      const company = await Partner.of(subject());
      for (let made = 0; made < 51; made++) await company.draft();
      const answer = await company.list();
      assert.equal(itemsIn(answer).length, 50);
      assert.equal(typeof (answer.body as { nextCursor: unknown }).nextCursor, 'string');
    });

    it('decision 5, a cursor that no answer gave is refused', async () => {
      for (const cursor of ['nonsense', '%F0%9F%99%82', ''])
        assertInvalid(await partner.list(`?cursor=${cursor}`), 'cursor');
    });
  });
}
