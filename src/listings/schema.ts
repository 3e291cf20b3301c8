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
import ownFields from './job-file-schema.json' with { type: 'json' };

/** Fields that the contract doesn't have, because they're never sent. */
const { mapping, ...texts } = ownFields;
const own = texts as Record<keyof typeof texts, JsonSchema>;

const SCHEMAS = {
  'job-file': [JobInputSchema, 'A job file: a listing or an array of listings'],
  defaults: [JobInputSchema, 'A _defaults.yaml: fields shared by the listings of a directory'],
  'job-input': [JobInputSchema, 'JobInput: the request body to create a job'],
  'job-update': [JobUpdateSchema, 'The request body to update a job'],
  job: [JobSchema, 'Job: a job in a response'],
  location: [LocationInputSchema, 'LocationInput'],
  qualification: [QualificationInputSchema, 'QualificationInput'],
  question: [QuestionInputSchema, 'QuestionInput'],
  budget: [BudgetInputSchema, 'BudgetInput'],
  error: [ErrorBodySchema, 'The body of an error response'],
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

function jobFile(derived: JsonSchema): JsonSchema {
  const reference = { $ref: '#/$defs/listing' };
  return {
    anyOf: [reference, { type: 'array', items: reference }],
    $defs: { listing: listingInFile(derived, { key: own.key }) },
  };
}

function defaultsFile(derived: JsonSchema): JsonSchema {
  const { properties, ...listing } = listingInFile(derived);
  const { places, requiredUnder, rules, words } = own;
  const ownProperties = { places, requiredUnder, rules, ...mapping } as Record<string, JsonSchema>;
  return { ...listing, properties: { ...properties, ...ownProperties }, $defs: { words } };
}

/** `$schema` enables completion in editors and isn't sent. A location can be text, because users rarely have its ID. */
function listingInFile({ properties, ...listing }: JsonSchema, more: Record<string, JsonSchema> = {}) {
  const locations = properties?.locations as JsonSchema;
  const entry = { anyOf: [own.locationText, locations.items as JsonSchema] };
  const { $schema, department, bid } = own;
  return {
    ...listing,
    properties: {
      $schema,
      ...more,
      department,
      ...properties,
      bid,
      locations: { ...locations, items: entry },
    },
  };
}
