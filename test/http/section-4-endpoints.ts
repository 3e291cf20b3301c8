import assert from 'node:assert/strict';
import { type LocationSuggestion, LocationSuggestionSchema } from '../../src/contract/job.ts';
import { fixture } from '../fixture.ts';
import { callEndpoint, JOB_ENDPOINTS, NO_SUCH_JOB } from './endpoints.ts';
import { BOSTON, completeListing, contentOf } from './listing.ts';
import { itemsIn, jobIn, Partner } from './partner.ts';
import { assertInvalid, assertRefused, changingNothing, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

/** Sections 2.7, 4 and 9. */
export function section4(subject: () => Subject): void {
  let partner: Partner;
  let other: Partner;

  async function openCompanies(): Promise<void> {
    partner = await Partner.of(subject());
    other = await Partner.of(subject());
  }

  describe('4 Endpoints', () => {
    before(openCompanies);

    it('4 createJob: POST {base_url}/jobs with a JobInput answers 201 and the Job @any-server', async () => {
      const listing = partner.fullListing();
      const job = jobIn(await partner.call('POST', '/jobs', listing), 201);
      assert.deepEqual(contentOf(job), listing);
      assert.deepEqual(await partner.job(job.id), job);
    });

    it('4 createJob: the body is required @any-server', async () => {
      for (const text of [undefined, '']) {
        const attempt = () =>
          partner.callWithText('POST', '/jobs', text, { 'content-type': 'application/json' });
        assertRefused(await storingNothing(partner, attempt), 422, 'VALIDATION_FAILED');
      }
    });

    it('4 Update a job: PATCH {base_url}/jobs/{id} changes only the sent fields and answers the updated job @any-server', async () => {
      const before = await partner.draft(partner.fullListing());
      const answer = await partner.call('PATCH', `/jobs/${before.id}`, {
        salaryMax: 52,
        remoteCountry: null,
      });
      const updated = jobIn(answer, 200);
      assert.deepEqual(updated, { ...before, salaryMax: 52, remoteCountry: null });
      assert.deepEqual(await partner.job(before.id), updated);
    });

    it('4 Get a job: GET {base_url}/jobs/{id} answers the Job and changes nothing @any-server', async () => {
      const job = await partner.draft(partner.fullListing());
      assert.deepEqual(jobIn(await partner.call('GET', `/jobs/${job.id}`), 200), job);
      assert.deepEqual(jobIn(await partner.call('GET', `/jobs/${job.id}`), 200), job);
    });

    it('4 Search locations: GET {base_url}/locations/search answers { items: [...] }, suggestions alone @any-server', async () => {
      for (const place of await partner.placesFound()) LocationSuggestionSchema.parse(place);
    });

    it('4 Search locations: GET {base_url}/locations/search answers { items: [LocationSuggestion, ...] }', async () => {
      const answer = await partner.call('GET', '/locations/search?q=boston');
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.body as object), ['items']);
      assert.equal(itemsIn<LocationSuggestion>(answer)[0]?.locationId, BOSTON.locationId);
    });
  });

  describe('4 errors', () => {
    before(openCompanies);

    it('4 createJob: 422 VALIDATION_FAILED = 7 422 VALIDATION_FAILED: bad input = 2.7 code and message: = 2.7 fields: names each problem @any-server', async () => {
      const attempt = () => partner.create({ title: 7, salaryMin: 'much' });
      assertInvalid(await storingNothing(partner, attempt), 'title', 'salaryMin');
    });

    it('4 Update: 422 VALIDATION_FAILED @any-server', async () => {
      const job = await partner.draft();
      const attempt = () => partner.update(job.id, { title: 'Fine', salaryMin: '1' });
      assertInvalid(await changingNothing(partner, job, attempt), 'salaryMin');
    });

    it('4 Publish: 422 VALIDATION_FAILED = 7 422 VALIDATION_FAILED: incomplete listing @any-server', async () => {
      const job = await partner.draft(completeListing({ salaryPeriod: null }));
      const answer = await changingNothing(partner, job, () => partner.move(job.id, 'publish'));
      assertInvalid(answer, 'salaryPeriod');
    });
  });

  describe('4 notes', () => {
    before(openCompanies);
    const job = fixture('all tests', () => partner.draft(completeListing()));

    for (const endpoint of JOB_ENDPOINTS) {
      it(`4 ${endpoint.name}: 404 NOT_FOUND, of an id that no job has = 7 404 NOT_FOUND: @any-server`, async () =>
        assertRefused(await callEndpoint(partner, endpoint, NO_SUCH_JOB), 404, 'NOT_FOUND'));

      it(`4 note 6, ${endpoint.name}: a job of another company answers 404 NOT_FOUND, as one that does not exist = 4 ${endpoint.name}: 404 NOT_FOUND = 5.3 = 7 404 NOT_FOUND:`, async () => {
        const attempt = () => callEndpoint(other, endpoint, job.id);
        const answer = await changingNothing(partner, job, attempt);
        const told = assertRefused(answer, 404, 'NOT_FOUND');
        const unknown = assertRefused(await callEndpoint(other, endpoint, NO_SUCH_JOB), 404, 'NOT_FOUND');
        assert.deepEqual(withoutId(told.message), withoutId(unknown.message));
      });
    }
  });

  describe('2.7 Error body', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));

    it('2.7 fields: absent where no field is at fault = 2.7 code and message: always present', async () => {
      const missing = assertRefused(await partner.get(987_654_321), 404, 'NOT_FOUND');
      assert.ok(!('fields' in missing));
      const keyless = assertRefused(await partner.withKey('').list(), 401, 'INVALID_SERVICE_KEY');
      assert.ok(!('fields' in keyless));
    });
  });

  describe('9 Versioning', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const job = fixture('all tests', () => partner.draft());

    it('9.1 the version is carried in the base path segment `v1` @any-server', async () => {
      assert.match(subject().baseUrl, /\/v1$/);
      assert.deepEqual(jobIn(await partner.get(job.id), 200), job);
    });

    for (const prefix of ['/..', '/../v2', '/../v1.0', '/../v1/v1', '/../V1'])
      it(`9.1 under ${prefix.replace('/..', '') || 'no version'} there is nothing: 404 NOT_FOUND`, async () =>
        assertRefused(await partner.call('GET', `${prefix}/jobs/${job.id}`), 404, 'NOT_FOUND'));
  });
}

function withoutId(message: string): string {
  return message.replace(/\d+/g, '{id}');
}
