import assert from 'node:assert/strict';
import faults from '../contract/json-faults.json' with { type: 'json' };
import { fixture } from '../fixture.ts';
import { callEndpoint, JOB_ENDPOINTS } from './endpoints.ts';
import { completeListing, fullListing } from './listing.ts';
import { jobIn, Partner } from './partner.ts';
import * as refusal from './refusal.ts';
import type { Subject } from './subject.ts';
import unknownFields from './unknown-fields.json' with { type: 'json' };
import wrongMethods from './wrong-methods.json' with { type: 'json' };

/** Response fields and properties of every JavaScript object, none of them allowed in a request. */
const ANSWERED_ONLY = ['id', 'status', 'companyId', 'isFrozen', 'publishedAt', 'constructor', 'toString'];

const OTHER_QUALIFICATIONS = [{ text: 'Other', kind: 'REQUIRED', order: 1 }];

/** Decisions 13, 16, 17, 21, 23 and 24. */
export function decisionsOnRequests(subject: () => Subject): void {
  describe('how a request is read', () => {
    const partner = fixture('all tests', () => Partner.of(subject()));
    const job = fixture('all tests', () => partner.draft(fullListing()));

    describe('decision 13, the order of checks', () => {
      const NOWHERE = '/jobs/987654321';

      it('decision 13, 401 before 404 and before the body', async () => {
        const stranger = partner.withKey('sk_ext_unknown');
        for (const answer of [
          await stranger.call('PATCH', NOWHERE, { title: 7 }),
          await stranger.callWithText('POST', '/jobs', '{"title":'),
          await stranger.call('POST', '/jobs', { title: 7 }),
        ])
          refusal.assertRefused(answer, 401, 'INVALID_SERVICE_KEY');
      });

      it('decision 13, 404 before the body shape', async () => {
        refusal.assertRefused(await partner.call('PATCH', NOWHERE, { title: 7 }), 404, 'NOT_FOUND');
        refusal.assertRefused(await partner.callWithText('PATCH', NOWHERE, '{"title":'), 404, 'NOT_FOUND');
      });

      it('decision 13, the body shape before the state, the state before completeness', async () => {
        const closed = await partner.jobThatIs('CLOSED');
        refusal.assertInvalid(await partner.update(closed.id, { title: 7 }), 'title');
        refusal.assertWrongState(await partner.update(closed.id, { jobType: null }));
      });

      it('decision 13, the state before frozen', async () => {
        const { id } = await partner.frozen();
        await partner.moved(id, 'close');
        refusal.assertWrongState(await partner.update(id, { qualifications: OTHER_QUALIFICATIONS }));
      });

      it('decision 13, frozen before completeness', async () => {
        const { id } = await partner.frozen();
        const attempt = () => partner.update(id, { qualifications: [], jobType: null });
        refusal.assertRefused(await refusal.changingNothing(partner, { id }, attempt), 409, 'JOB_FROZEN');
      });

      it('decision 13, the body shape before completeness', async () => {
        const attempt = () => partner.create({ title: 7, publish: true });
        refusal.assertInvalid(await refusal.storingNothing(partner, attempt), 'title');
        const live = await partner.live();
        refusal.assertInvalid(await partner.update(live.id, { jobType: null, salaryMin: 'x' }), 'salaryMin');
      });

      it('decision 13, completeness before terms, terms before card = 7 rule 4:', async () => {
        const company = await Partner.of(subject(), { terms: false, card: false });
        const job = await company.draft(completeListing({ jobType: null }));
        const publish = () => refusal.changingNothing(company, job, () => company.move(job.id, 'publish'));
        refusal.assertInvalid(await publish(), 'jobType');
        await company.updated(job.id, { jobType: 'FULL_TIME' });
        refusal.assertRefused(await publish(), 409, 'AGREEMENT_OUTDATED');
        await subject().acceptTerms(company.companyId);
        refusal.assertRefused(await publish(), 402, 'PAYMENT_METHOD_REQUIRED');
      });
    });

    describe('decision 16, unknown request fields', () => {
      for (const [body, field, near] of unknownFields.fields as [object, string, string][])
        it(`decision 16, \`${field}\` is refused on create and update, with ${near} as the nearest known name`, async () => {
          const refuse = () => refusal.assertInputRefused(partner, job, body, field);
          const { fields } = await refusal.storingNothing(partner, refuse);
          assert.match(fields?.[field] ?? '', new RegExp(`\\b${near}\\b`));
        });

      it('decision 16, a field of the answer that is no field of the request is refused', async () =>
        await refusal.storingNothing(partner, async () => {
          for (const name of ANSWERED_ONLY)
            await refusal.assertInputRefused(partner, job, { [name]: 1 }, name);
        }));
    });

    describe('decision 17, malformed JSON and other content types', () => {
      async function sendEverywhere(text: string | Uint8Array<ArrayBuffer>, contentType: string) {
        const headers = { 'content-type': contentType };
        return refusal.storingNothing(partner, async () => [
          await partner.callWithText('POST', '/jobs', text, headers),
          await partner.callWithText('PATCH', `/jobs/${job.id}`, text, headers),
        ]);
      }

      for (const { text, line, column } of faults)
        it(`decision 17, ${JSON.stringify(text)} is 422 at line ${line}, column ${column}`, async () => {
          for (const answer of await sendEverywhere(text, 'application/json')) {
            const { message, fields } = refusal.assertRefused(answer, 422, 'VALIDATION_FAILED');
            const told = `${message} ${JSON.stringify(fields ?? {})}`;
            assert.match(told, new RegExp(`line ${line}\\b.*column ${column}\\b`));
          }
        });

      it('decision 17, text that is no JSON at all is 422, however odd', async () => {
        const utf16 = new Uint8Array(Buffer.from('\ufeff{"title": "x"}', 'utf16le'));
        const odd = ['title=x', '<job/>', '{}{}', '['.repeat(200_000), '{"a":'.repeat(100_000), utf16];
        for (const text of odd) {
          for (const answer of await sendEverywhere(text, 'application/json'))
            refusal.assertRefused(answer, 422, 'VALIDATION_FAILED');
        }
      });

      for (const contentType of ['text/plain', 'application/jsonp', 'text/json', ''])
        it(`decision 17, ${contentType || 'a body without a content type'} is 415 UNSUPPORTED_MEDIA_TYPE`, async () => {
          for (const answer of await sendEverywhere('{"title":"x"}', contentType))
            refusal.assertRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
        });

      it('decision 17, application/json is taken with a charset and in any case', async () => {
        for (const contentType of ['application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
          const headers = { 'content-type': contentType };
          assert.equal((await partner.callWithText('POST', '/jobs', '{"title":"ü"}', headers)).status, 201);
        }
      });
    });

    describe('decision 21, unknown routes and wrong methods', () => {
      it('decision 21, an unknown route is 404 NOT_FOUND in the envelope', async () => {
        for (const path of ['/job', '/jobs/1/reopen', '/jobs/1/publish/now', '/locations', '/', '/budgets'])
          refusal.assertRefused(await partner.call('GET', path), 404, 'NOT_FOUND');
      });

      for (const address of wrongMethods) {
        const [method = '', path = ''] = address.split(' ');
        it(`decision 21, ${address} is 405 METHOD_NOT_ALLOWED in the envelope`, async () => {
          const attempt = () => partner.call(method, path.replace('{id}', String(job.id)));
          const answer = await refusal.changingNothing(partner, job, attempt);
          refusal.assertRefused(answer, 405, 'METHOD_NOT_ALLOWED');
          assert.ok(answer.headers.get('allow'), 'the methods that there are');
        });
      }
    });

    describe('decision 23, `{id}` that is no integer', () => {
      for (const endpoint of JOB_ENDPOINTS)
        it(`decision 23, ${endpoint.name}: 404 NOT_FOUND, also for text that a number reader would take`, async () => {
          const { id } = job;
          const near = [
            `${id}.0`,
            `${id}.5`,
            `+${id}`,
            `-${id}`,
            `${id}e0`,
            `0x${id.toString(16)}`,
            `${id}x`,
          ];
          const far = ['abc', '0', '9007199254740993', '1'.repeat(400)];
          await refusal.changingNothing(partner, job, async () => {
            for (const text of [...near, `%20${id}`, `${id}%20`, ...far])
              refusal.assertRefused(await callEndpoint(partner, endpoint, text), 404, 'NOT_FOUND');
          });
        });
    });

    describe('decision 24, drafts', () => {
      for (const [name, input] of unknownFields.drafts as [string, object][])
        it(`decision 24, ${name} is accepted in a draft, on create and on update`, async () => {
          assert.equal((await partner.create(input)).status, 201);
          const { id } = await partner.draft();
          assert.equal(jobIn(await partner.update(id, input), 200).status, 'DRAFT');
        });

      it('decision 24, types, enums, minimums, known places and limits are checked in a draft = 2.7 fields: maps each offending field name to a text, all of them at once', async () => {
        const nowhere = { locationId: 999_999_999, city: 'Nowhere', stateProvince: 'None', country: 'None' };
        const budgets = [{ window: 'DAILY', budgetCents: -1 }];
        const input = {
          title: 'x'.repeat(501),
          jobType: 'ALL',
          salaryMin: 1.5,
          locations: [nowhere],
          budgets,
        };
        const fields = ['title', 'jobType', 'salaryMin', 'locations[0].locationId', 'budgets[0].budgetCents'];
        await refusal.storingNothing(partner, () =>
          refusal.assertInputRefused(partner, job, input, ...fields),
        );
      });
    });
  });
}
