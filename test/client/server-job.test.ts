import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dropMisfits, serverJob } from '../../src/client/server-job.ts';
import { ENTRY_KINDS } from '../../src/contract/entries.ts';
import { JobSchema } from '../../src/contract/job.ts';
import { times } from '../times.ts';

const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(null, [], {}, [null], [[]], [{}]));
const record = (fields: readonly string[], value: (field: string) => fc.Arbitrary<unknown>) =>
  fc.record(Object.fromEntries(fields.map((field) => [field, value(field)])), { requiredKeys: [] });

/** Any field, also of a list's entries, may have any type. */
const oddJob = record([...Object.keys(JobSchema.shape), 'perks'], (field) => {
  const kind = ENTRY_KINDS[field];
  return kind === undefined ? anything : fc.oneof(anything, fc.array(record(kind.fields, () => anything)));
});

describe('a job with odd fields', () => {
  it('has only values of the contract’s types, and is printed as it came', () =>
    fc.assert(
      fc.property(oddJob, (fields) => {
        const sent = { ...fields, id: 12 };
        const job = serverJob(sent);
        const plain = Object.fromEntries(Object.entries(job));
        assert.equal(dropMisfits(JobSchema, plain), plain);
        assert.equal(JSON.stringify(job), JSON.stringify(sent));
      }),
      { numRuns: times(200, 1000) },
    ));
});
