import assert from 'node:assert/strict';
import type { Job } from '../../src/contract/job.ts';
import { jobIn, Partner } from './partner.ts';
import { assertRefused } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Section 9: the version is a segment of the path. */
export function section9(subject: () => Subject): void {
  describe('9 Versioning', () => {
    let partner: Partner;
    let job: Job;

    before(async () => {
      partner = await Partner.of(subject());
      job = await partner.draft();
    });

    it('9.1 the version is carried in the base path segment `v1`', async () => {
      assert.match(subject().baseUrl, /\/v1$/);
      assert.deepEqual(jobIn(await partner.get(job.id), 200), job);
    });

    for (const prefix of ['/..', '/../v2', '/../v1.0', '/../v1/v1', '/../V1']) {
      it(`9.1 under ${prefix.replace('/..', '') || 'no version'} there is nothing: 404 NOT_FOUND`, async () => {
        assertRefused(await partner.call('GET', `${prefix}/jobs/${job.id}`), 404, 'NOT_FOUND');
      });
    }
  });
}
