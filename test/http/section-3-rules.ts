import assert from 'node:assert/strict';
import type { JobUpdate } from '../../src/contract/job.ts';
import gate from '../contract/gate.json' with { type: 'json' };
import { fixture } from '../fixture.ts';
import { ON_ANY_SERVER } from './any-server.ts';
import editable from './editable-when-frozen.json' with { type: 'json' };
import { AUSTIN, completeListing, contentOf, fullListing, shown } from './listing.ts';
import { Partner } from './partner.ts';
import { assertInvalid, assertRefused, changingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Rule 4: the bid and all other fields stay editable after the first application. */
const EDITABLE_WHEN_FROZEN = { ...editable, locations: [AUSTIN] };

export function section3Rules(subject: () => Subject): void {
  describe('3 rules', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));

    for (const status of ['ACTIVE', 'PAUSED'] as const) {
      for (const { name, change, field } of gate.gaps) {
        const tag = status === 'ACTIVE' && field === 'jobType' ? ON_ANY_SERVER : '';
        it(`3 rule 3, an edit of a job that is ${status} may not take away ${name}: the whole change is rejected = 7 rule 2:${tag}`, async () => {
          const job = await partner.jobThatIs(status);
          const attempt = () => partner.update(job.id, { opportunityId: 'OPP-2', ...change });
          assertInvalid(await changingNothing(partner, job, attempt), field);
        });
      }

      it(`3 rule 3, an edit of a job that is ${status} is judged after the patch: what is mended with it passes`, async () => {
        const job = await partner.jobThatIs(status);
        const changes: JobUpdate = { remoteOption: 'IN_PERSON', remoteCountry: null, locations: [AUSTIN] };
        const updated = await partner.updated(job.id, changes);
        assert.deepEqual(contentOf(updated), { ...contentOf(job), ...changes });
        assert.equal(updated.status, status);
        assert.deepEqual([updated.publishedAt, updated.expiresAt], [job.publishedAt, job.expiresAt]);
        assertInvalid(await partner.update(job.id, { salaryMin: 78_001 }), 'salaryMin');
        const actual = (await partner.updated(job.id, { salaryMin: 78_001, salaryMax: 78_001 })).status;
        assert.equal(actual, status);
      });
    }

    it('3 rule 3, edits of a DRAFT are not held to completeness', async () => {
      const { id } = await partner.jobThatIs('DRAFT');
      for (const { change } of gate.gaps) await partner.updated(id, change as JobUpdate);
    });

    describe('once a job has applications', () => {
      const frozen = fixture('all tests', () => partner.frozen(fullListing()));

      for (const [field, changed] of [
        ['qualifications', [{ text: 'Other', kind: 'REQUIRED', order: 1 }]],
        ['qualifications', fullListing().qualifications.slice(0, 1)],
        ['qualifications', [...fullListing().qualifications, { text: 'More', kind: 'DESIRED', order: 3 }]],
        ['questions', [{ prompt: 'Another question?', answerFormat: 'TEXT', order: 1 }]],
        ['questions', []],
      ] as const)
        it(`3 rule 4, \`${field}\` cannot change to ${shown(changed)}: JOB_FROZEN = 4 Update: 409 JOB_FROZEN = 7 409 JOB_FROZEN:`, async () => {
          const attempt = () => partner.update(frozen.id, { title: 'Other', [field]: changed });
          assertRefused(await changingNothing(partner, frozen, attempt), 409, 'JOB_FROZEN');
        });

      it('3 rule 4, bid and all other fields stay editable, and it still pauses, resumes and closes', async () => {
        const { id } = await partner.frozen(fullListing());
        for (const [field, value] of Object.entries(EDITABLE_WHEN_FROZEN)) {
          const before = await partner.job(id);
          const updated = await partner.updated(id, { [field]: value });
          assert.deepEqual(contentOf(updated), { ...contentOf(before), [field]: value });
          assert.strictEqual(updated.isFrozen, true);
        }
        for (const transition of ['pause', 'resume', 'close'] as const) await partner.moved(id, transition);
      });

      it('3 rule 4, without applications `qualifications` and `questions` of a live job can change', async () => {
        const { id } = await partner.live(fullListing());
        const changes: JobUpdate = { qualifications: completeListing().qualifications, questions: [] };
        const updated = await partner.updated(id, changes);
        assert.deepEqual(contentOf(updated), { ...fullListing(), ...changes });
      });
    });
  });
}
