import assert from 'node:assert/strict';
import { type BudgetInput, EMPTY_CONTENT, type JobInput } from '../../src/contract/job.ts';
import { BUDGET_WINDOWS } from '../../src/contract/values.ts';
import gate from '../contract/gate.json' with { type: 'json' };
import { fixture } from '../fixture.ts';
import { ON_ANY_SERVER } from './any-server.ts';
import { completeListing, contentOf } from './listing.ts';
import { Partner } from './partner.ts';
import { assertInputRefused, assertInvalid, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Section 8, rules 1 to 4 and 6. */
export function section8(subject: () => Subject): void {
  describe('8 Limits', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const kept = fixture('all tests', () =>
      partner.draft({ title: 'Kept', budgets: [{ window: 'DAILY', budgetCents: 100 }] }),
    );

    async function assertBudgetsRefused(budgets: unknown, ...fields: string[]): Promise<void> {
      await storingNothing(partner, () => assertInputRefused(partner, kept, { budgets }, ...fields));
    }

    it('8.1 listing lifetime: an edit and a pause do not lengthen it', async () => {
      const job = await partner.live();
      const edited = await partner.updated(job.id, { title: 'Other' });
      await partner.moved(job.id, 'pause');
      const resumed = await partner.moved(job.id, 'resume');
      assert.deepEqual([edited.expiresAt, resumed.expiresAt], [job.expiresAt, job.expiresAt]);
    });

    it('8.2 budgets: at most one per window - every window once is accepted = 8.3 @any-server', async () => {
      const budgets = BUDGET_WINDOWS.map((window): BudgetInput => ({ window, budgetCents: 1, notes: null }));
      assert.deepEqual(contentOf(await partner.draft({ budgets })).budgets, budgets);
    });

    for (const window of BUDGET_WINDOWS)
      it(`8.2 budgets: at most one per window - a second ${window} budget is refused, equal or not @any-server`, async () => {
        const other = window === 'DAILY' ? 'WEEKLY' : 'DAILY';
        for (const budgetCents of [100, 200]) {
          const budgets = [
            { window, budgetCents: 100 },
            { window: other, budgetCents: 100 },
            { window, budgetCents },
          ];
          await assertBudgetsRefused(budgets, 'budgets[2].window');
        }
      });

    it('8.4 a budget targets one job: setting it leaves the other jobs of the company without', async () => {
      const [one, two] = [await partner.draft(), await partner.draft()];
      await partner.updated(one.id, { budgets: [{ window: 'DAILY', budgetCents: 900 }] });
      assert.deepEqual(await partner.job(two.id), two);
    });

    it('8.4 `"budgets": []` clears every cap on the job, and a cap can be set again', async () => {
      const budgets = BUDGET_WINDOWS.map((window): BudgetInput => ({ window, budgetCents: 7, notes: null }));
      const { id } = await partner.live({ budgets });
      assert.deepEqual((await partner.updated(id, { budgets: [] })).budgets, []);
      assert.deepEqual((await partner.job(id)).budgets, []);
      await partner.updated(id, { budgets });
      assert.deepEqual(contentOf(await partner.job(id)).budgets, budgets);
    });

    it('8.4 no sentinel value exists: neither null nor -1 nor an empty budget clears a cap @any-server', async () => {
      await assertBudgetsRefused(null, 'budgets');
      await assertBudgetsRefused([{ window: 'DAILY', budgetCents: null }], 'budgets[0].budgetCents');
      await assertBudgetsRefused([{ window: 'DAILY', budgetCents: -1 }], 'budgets[0].budgetCents');
      await assertBudgetsRefused([{}], 'budgets[0].window', 'budgets[0].budgetCents');
    });

    it('8.6 request rate limits: off by default (decision 14)', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => partner.get(kept.id)));
      assert.ok(answers.every(({ status }) => status === 200));
    });
  });

  describe('8 Publish gates', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));

    for (const { name, change, field } of gate.gaps) {
      const tag = field === 'jobType' ? ON_ANY_SERVER : '';
      it(`8 gate 1 completeness: publish without ${name} is 422 with that field${tag}`, async () => {
        const job = await partner.draft(completeListing(change as JobInput));
        const answer = await changingNothing(partner, job, () => partner.move(job.id, 'publish'));
        assertInvalid(answer, field);
      });

      it(`8 gate 1 completeness: create with \`publish: true\` without ${name} is 422 with that field${tag}`, async () => {
        const payload = completeListing({ ...(change as JobInput), publish: true });
        assertInvalid(await storingNothing(partner, () => partner.create(payload)), field);
      });
    }

    it('8 gate 1 completeness: each gap is reported, all at once, on publish, create and the edit of a live job', async () => {
      const draft = await partner.draft();
      const publish = () => partner.move(draft.id, 'publish');
      assertInvalid(await changingNothing(partner, draft, publish), ...gate.required);
      const create = () => partner.create({ publish: true });
      assertInvalid(await storingNothing(partner, create), ...gate.required);
      const live = await partner.live();
      const edit = () => partner.update(live.id, { ...EMPTY_CONTENT, remoteCountry: 'United States' });
      assertInvalid(await changingNothing(partner, live, edit), ...gate.required);
    });

    for (const [name, listing] of Object.entries(gate.complete as Record<string, JobInput>))
      it(`8 gate 1 completeness: ${name} is complete`, async () => {
        const { id } = await partner.draft(completeListing(listing));
        assert.equal((await partner.moved(id, 'publish')).status, 'ACTIVE');
        assert.equal((await partner.live(listing)).status, 'ACTIVE');
      });
  });
}
