import assert from 'node:assert/strict';
import { openApiDocument } from '../../src/contract/openapi.ts';
import frame from '../../src/contract/openapi-frame.json' with { type: 'json' };
import { itAtLength } from '../times.ts';
import { assertDocumented } from './documented.ts';

const EXAMPLE_JOB = frame.examples.Job;

describe('the OpenAPI document', () => {
  itAtLength('has no error and no warning of a public linter with its recommended rules', async () => {
    const { createConfig, lintFromString } = await import('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: JSON.stringify(openApiDocument()), config });
    const actual = found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
    assert.deepEqual(actual, []);
  });

  const refusal = (code: string, more: object = {}) => ({ error: { code, message: 'no', ...more } });
  const get = { method: 'GET', path: '/jobs/7', text: undefined };
  const create = { method: 'POST', path: '/jobs', text: '{}' };

  for (const [what, sent, status, body, headers] of [
    ['a status that it does not list', get, 202, EXAMPLE_JOB],
    ['a code that it does not list for the operation', get, 404, refusal('JOB_FROZEN')],
    ['a code under the status of another', get, 401, refusal('NOT_FOUND')],
    ['a field that it does not know', get, 200, { ...EXAMPLE_JOB, colour: 'red' }],
    ['a field deeper in the answer', get, 404, refusal('NOT_FOUND', { hint: 'x' })],
    ['a job without a field', get, 200, { ...EXAMPLE_JOB, budgets: undefined }],
    ['a value of another type', get, 200, { ...EXAMPLE_JOB, salaryMin: '1' }],
    ['a time that is none', get, 200, { ...EXAMPLE_JOB, publishedAt: 'today' }],
    ['an answer without a body', get, 200, undefined],
    ['a header that it does not list', get, 200, EXAMPLE_JOB, { 'idempotency-status': 'stored' }],
    ['a body that was taken and is none', { ...create, text: '{"titel":"x"}' }, 201, EXAMPLE_JOB],
  ] as const)
    it(`is not fitted by ${what}`, () => {
      const answer = { status, headers: new Headers(headers), body };
      assert.throws(() => assertDocumented(sent, answer), { code: 'ERR_ASSERTION' });
    });

  it('is fitted by its own example', () => {
    assertDocumented(get, { status: 200, headers: new Headers(), body: EXAMPLE_JOB });
    assertDocumented(create, { status: 201, headers: new Headers(), body: EXAMPLE_JOB });
  });
});
