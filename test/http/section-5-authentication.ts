import assert from 'node:assert/strict';
import { fixture } from '../fixture.ts';
import { callEndpoint, ENDPOINTS } from './endpoints.ts';
import { completeListing } from './listing.ts';
import { itemsIn, Partner } from './partner.ts';
import { assertInvalid, assertRefused, storingNothing } from './refusal.ts';
import type { Subject } from './subject.ts';

export function section5(subject: () => Subject): void {
  describe('5 Authentication', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const other = fixture('all tests', () => Partner.of(subject()));
    const job = fixture('all tests', () => partner.draft(completeListing()));

    it('5.1 every request carries `Authorization: Bearer <API_KEY>`, and a key has the prefix `sk_ext_` @any-server', async () => {
      // assert.match would print the key.
      assert.ok(/^sk_ext_\S{16,}$/.test(partner.key), 'the key has another form');
      if (subject().remote === undefined) assert.notEqual(partner.key, other.key);
      assert.deepEqual(await partner.job(job.id), job);
    });

    it('5.2 a missing key yields 401 INVALID_SERVICE_KEY on every operation @any-server', async () => {
      for (const endpoint of ENDPOINTS.filter(({ isExtension }) => !(isExtension && subject().remote))) {
        const answer = await callEndpoint(partner, endpoint, job.id, { authorization: '' });
        assertRefused(answer, 401, 'INVALID_SERVICE_KEY');
        if (!answer.isRemote) assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
    });

    for (const endpoint of ENDPOINTS)
      it(`5.2 an unknown key yields 401 INVALID_SERVICE_KEY = 4 ${endpoint.name}: 401 INVALID_SERVICE_KEY = 7 401 INVALID_SERVICE_KEY: @any-server`, async () => {
        const stranger = partner.withKey(`sk_ext_${'0'.repeat(40)}`);
        const answer = await storingNothing(partner, () => callEndpoint(stranger, endpoint, job.id));
        assertRefused(answer, 401, 'INVALID_SERVICE_KEY');
      });

    it('5.2 a key with a character more, a character less, in other case or without its prefix is unknown', async () => {
      const { key } = partner;
      for (const near of [`${key}x`, key.slice(0, -1), key.toUpperCase(), key.replace('sk_ext_', '')])
        assertRefused(await partner.withKey(near).list(), 401, 'INVALID_SERVICE_KEY');
    });

    it('5.2 a malformed Authorization header yields 401 INVALID_SERVICE_KEY', async () => {
      const { key } = partner;
      const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
      for (const authorization of [
        key,
        'Bearer',
        `Bearer ${key} ${key}`,
        `Bearer "${key}"`,
        basic,
        `Token ${key}`,
      ]) {
        const answer = await partner.call('GET', '/jobs', undefined, { authorization });
        assertRefused(answer, 401, 'INVALID_SERVICE_KEY');
      }
    });

    it('5.2 a key in the query or in the body is no key', async () => {
      const query = await partner.call('GET', `/jobs?api_key=${partner.key}`, undefined, {
        authorization: '',
      });
      assertRefused(query, 401, 'INVALID_SERVICE_KEY');
    });

    it('5.2 a revoked key yields 401 INVALID_SERVICE_KEY, and the other keys of the company go on', async () => {
      const second = partner.withKey(await subject().issueKey(partner.companyId));
      assert.deepEqual(await second.job(job.id), job);
      await subject().revokeKey(second.companyId, second.key);
      assertRefused(await second.get(job.id), 401, 'INVALID_SERVICE_KEY');
      assertRefused(await second.create({}), 401, 'INVALID_SERVICE_KEY');
      assert.deepEqual(await partner.job(job.id), job);
    });

    it('5.2 a refusal never repeats the key', async () => {
      const answer = await partner.withKey('sk_ext_very_secret').list();
      assert.doesNotMatch(JSON.stringify(answer.body), /very_secret/);
    });

    it("5.3 the list of jobs never holds another company's, under any filter", async () => {
      const lone = await Partner.of(subject());
      await partner.live({ opportunityId: 'OPP-shared' });
      for (const query of ['', '?status=ACTIVE', '?opportunityId=OPP-shared', '?limit=100'])
        assert.deepEqual(itemsIn(await lone.list(query)), []);
    });

    it('5.4 the API cannot accept the employer terms: no field and no address does', async () => {
      const unsettled = await Partner.of(subject(), { terms: false });
      const listing = completeListing({ publish: true });
      for (const field of ['termsAccepted', 'acceptTerms', 'terms']) {
        const attempt = () => unsettled.create({ ...listing, [field]: true });
        assertInvalid(await storingNothing(unsettled, attempt), field);
      }
      for (const path of ['/terms', '/terms/accept', '/dashboard/terms', '/company'])
        assertRefused(await unsettled.call('POST', path, {}), 404, 'NOT_FOUND');
      assertRefused(await unsettled.create(listing), 409, 'AGREEMENT_OUTDATED');
    });

    it('5.5 the API sets no company-wide budget and adds no card: no field and no address does', async () => {
      const cardless = await Partner.of(subject(), { card: false });
      const listing = completeListing({ publish: true });
      for (const field of ['companyBudgets', 'card', 'paymentMethod']) {
        const attempt = () => cardless.create({ ...listing, [field]: [] });
        assertInvalid(await storingNothing(cardless, attempt), field);
      }
      for (const path of ['/budgets', '/billing', '/cards', '/company/budgets'])
        assertRefused(await cardless.call('POST', path, {}), 404, 'NOT_FOUND');
      assertRefused(await cardless.create(listing), 402, 'PAYMENT_METHOD_REQUIRED');
    });
  });
}
