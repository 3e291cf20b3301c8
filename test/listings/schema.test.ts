import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkJobInput } from '../../src/contract/check.ts';
import { jsonSchema, SCHEMA_NAMES, type SchemaName } from '../../src/listings/schema.ts';
import { COMPLETE } from './listing.ts';
import inputs from './schema.json' with { type: 'json' };

/** Validates like an editor. */
type Validate = (value: unknown) => boolean;

const ajv = new Ajv2020({ strict: false, formats: { uri: true, 'date-time': true } });

function validatorOf(name: SchemaName): Validate {
  const schema = jsonSchema(name);
  return ajv.getSchema(`${schema.$id}`) ?? ajv.compile(schema);
}

const LOCATION = COMPLETE.locations[0];

describe('jsonSchema', () => {
  for (const name of SCHEMA_NAMES)
    it(`${name} is a schema of draft 2020-12 with an ID and a title`, () => {
      const { $schema, $id, title } = jsonSchema(name);
      assert.equal($schema, 'https://json-schema.org/draft/2020-12/schema');
      assert.equal($id, `urn:partner-jobs:v1:${name}`);
      assert.equal(typeof title, 'string');
      assert.equal(typeof validatorOf(name), 'function');
    });

  it('accepts the same JobInput as the contract', () => {
    const validate = validatorOf('job-input');
    const given = [
      ...inputs.valid.map((fields) => [fields, true] as const),
      ...inputs.invalid.map((fields) => [fields, false] as const),
    ];
    for (const [fields, isValid] of given) {
      const value = JSON.parse(JSON.stringify({ ...COMPLETE, ...fields }));
      assert.equal(checkJobInput(value).ok, isValid, `contract: ${JSON.stringify(fields).slice(0, 80)}`);
      assert.equal(validate(value), isValid, `schema: ${JSON.stringify(fields).slice(0, 80)}`);
    }
  });

  it('accepts $schema, places as text and several listings in a job file', () => {
    const validate = validatorOf('job-file');
    const listing = { $schema: './job-file.json', ...COMPLETE, locations: ['Austin, TX', LOCATION] };
    assert.ok(validate(listing));
    assert.ok(validate([listing, {}, { key: 'nurse-austin' }]));
    const faults = [{ titel: '' }, { locations: [5] }, { locations: [''] }, { key: ' ' }];
    const wrong = faults.map((each) => ({ ...listing, ...each }));
    for (const value of [...wrong, [5], 5]) assert.ok(!validate(value), JSON.stringify(value));
  });

  it('accepts the same in a _defaults.yaml, and a map of places', () => {
    const validate = validatorOf('defaults');
    assert.ok(validate({ ...COMPLETE, locations: ['HQ'], places: { HQ: 4671654, Office: 'Austin, TX' } }));
    for (const value of inputs.refusedDefaults) assert.ok(!validate(value), JSON.stringify(value));
  });

  it('refuses publish in an update, but accepts unknown fields in a response', () => {
    assert.ok(validatorOf('job-update')({ title: 'Welder' }));
    assert.ok(!validatorOf('job-update')({ publish: true }));
    const error = {
      code: 'VALIDATION_FAILED',
      message: 'invalid',
      fields: { title: 'is required' },
      more: 1,
    };
    assert.ok(validatorOf('error')({ error }));
    assert.ok(!validatorOf('error')({ error: { code: 'X' } }));
  });
});
