import type * as z from 'zod';
import {
  BudgetInputSchema,
  JobInputSchema,
  JobSchema,
  JobUpdateSchema,
  LocationInputSchema,
  QualificationInputSchema,
  QuestionInputSchema,
} from '../contract/job.ts';
import { ErrorBodySchema, type JsonSchema, toJsonSchema } from '../contract/json-schema.ts';

/** What `partner schema NAME` prints, by name: the contract's schemas, and the job file made of one of them. */
const SCHEMAS = {
  'job-file': [JobInputSchema, 'A job file: a listing, or an array of listings'],
  defaults: [JobInputSchema, 'A _defaults.yaml: what the listings of a directory share'],
  'job-input': [JobInputSchema, 'JobInput: the body of a create'],
  'job-update': [JobUpdateSchema, 'The body of an update'],
  job: [JobSchema, 'Job: what the service answers'],
  location: [LocationInputSchema, 'LocationInput'],
  qualification: [QualificationInputSchema, 'QualificationInput'],
  question: [QuestionInputSchema, 'QuestionInput'],
  budget: [BudgetInputSchema, 'BudgetInput'],
  error: [ErrorBodySchema, 'The body of an error'],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

export type SchemaName = keyof typeof SCHEMAS;

export const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

export function jsonSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  const [schema, title] = SCHEMAS[name];
  const derived = toJsonSchema(schema);
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:partner-jobs:v1:${name}`,
    title,
  };
  if (name === 'defaults') return { ...head, ...defaultsFile(derived) };
  return { ...head, ...(name === 'job-file' ? jobFile(derived) : derived) };
}

/** An array holds several listings. */
function jobFile(derived: JsonSchema): JsonSchema {
  const reference = { $ref: '#/$defs/listing' };
  return {
    anyOf: [reference, { type: 'array', items: reference }],
    $defs: { listing: listingInFile(derived, { key: KEY }) },
  };
}

function defaultsFile(derived: JsonSchema): JsonSchema {
  const { properties, ...listing } = listingInFile(derived);
  const place: JsonSchema = {
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', minLength: 1 },
    ],
  };
  const places: JsonSchema = {
    type: ['object', 'null'],
    additionalProperties: place,
    description: 'By a text, the id of the place that it means, or its name as "Austin, Texas"',
  };
  return { ...listing, properties: { ...properties, places } };
}

const KEY: JsonSchema = {
  type: 'string',
  pattern: '\\\\S',
  description:
    'Unique name of the listing in its file. `apply` uses it to identify the listing. It is not sent',
};

/** `$schema` gives editors completion and is not sent. A location may be text because people do not know its ID. */
function listingInFile(
  { properties, ...listing }: JsonSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  const locations = properties?.locations as JsonSchema;
  const text = {
    type: 'string',
    minLength: 1,
    description: 'A place as text, "Austin, Texas", or its id',
  } as const;
  return {
    ...listing,
    properties: {
      $schema: { type: 'string', description: 'For editors; it is not sent' },
      ...more,
      ...properties,
      locations: { ...locations, items: { anyOf: [text, locations.items as JsonSchema] } },
    },
  };
}
