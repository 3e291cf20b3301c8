import type * as z from 'zod';
import { groupBy } from '../text/group-by.ts';
import { COMMON_ERRORS, type ErrorCode, errorBody, errorRow, isSpecified, PartnerError } from './errors.ts';
import * as job from './job.ts';
import { ErrorBodySchema, type JsonSchema, toComponents, toJsonSchema } from './json-schema.ts';
import frame from './openapi-frame.json' with { type: 'json' };
import { JobPageSchema, OPERATIONS, type Operation, PlacePageSchema } from './operations.ts';

const SCHEMAS = {
  JobInput: job.JobInputSchema,
  JobUpdate: job.JobUpdateSchema,
  Job: job.JobSchema,
  JobPage: JobPageSchema,
  LocationInput: job.LocationInputSchema,
  LocationSuggestion: job.LocationSuggestionSchema,
  LocationPage: PlacePageSchema,
  QualificationInput: job.QualificationInputSchema,
  QuestionInput: job.QuestionInputSchema,
  BudgetInput: job.BudgetInputSchema,
  Error: ErrorBodySchema,
} as const satisfies Record<string, z.ZodType>;

type SchemaName = keyof typeof SCHEMAS;

const EXAMPLES: Partial<Record<SchemaName, unknown>> = {
  ...frame.examples,
  JobPage: { items: [frame.examples.Job], nextCursor: null },
  LocationPage: { items: frame.examples.Job.locations },
};

const EXTENSION = { 'x-partner-extension': true } as const;
const NOT_SPECIFIED = 'This is an extension of the bundled engine.';

type Responses = Record<string, ReturnType<typeof buildResponse>>;

export function openApiDocument() {
  const responses: Responses = {};
  const paths: Record<string, Record<string, ReturnType<typeof operationObject>>> = {};
  for (const [name, operation] of Object.entries<Operation>(OPERATIONS)) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = operationObject(name, operation, responses);
    paths[operation.path] = path;
  }
  const schemas = toComponents(SCHEMAS);
  return { ...frame.document, paths, components: { ...frame.components, schemas, responses } };
}

function buildResponse(
  description: string,
  headers: readonly string[],
  schema: JsonSchema,
  example: unknown,
) {
  const all = ['X-Request-Id', ...headers];
  return {
    description,
    headers: Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: { 'application/json': { schema, example } },
  };
}

function operationObject(name: string, operation: Operation, responses: Responses) {
  const { method, path, summary, answer, isExtension } = operation;
  const body = operation.body && schemaNamed(operation.body);
  const isKeyed = method === 'POST';
  const answered = schemaNamed(answer);
  const success = `${answered}-${operation.status}${isKeyed ? '-keyed' : ''}`;
  responses[success] ??= buildResponse(
    answered === 'Job' ? 'The job' : 'One page of results',
    isKeyed ? ['Idempotency-Status'] : [],
    buildReference(answered),
    EXAMPLES[answered],
  );
  const references: Record<string, string> = { [operation.status]: success };
  const all: readonly ErrorCode[] = [...operation.errors, ...COMMON_ERRORS];
  const byStatus = groupBy(all, (code) => Number(errorRow(code).status));
  for (const [status, codes] of [...byStatus].sort(([one], [other]) => one - other)) {
    references[status] = codes.join('-');
    responses[codes.join('-')] ??= errorResponse(codes);
  }
  return {
    operationId: name,
    summary,
    ...(isExtension && { description: NOT_SPECIFIED, ...EXTENSION }),
    tags: [path.split('/')[1] ?? ''],
    parameters: buildParameters(operation, isKeyed),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: buildReference(body), example: EXAMPLES[body] } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(references).map(([status, key]) => [status, { $ref: `#/components/responses/${key}` }]),
    ),
  };
}

function buildReference(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function schemaNamed(schema: z.ZodType): SchemaName {
  const [name] = Object.entries(SCHEMAS).find(([, each]) => each === schema) ?? [];
  if (name === undefined) throw new Error('a schema in the table of operations has no name');
  return name as SchemaName;
}

type Parameter = Omit<typeof frame.parameters.id, 'schema'> & { readonly schema: JsonSchema };

function buildParameters({ path, query }: Operation, isKeyed: boolean): Parameter[] {
  const { properties = {}, required = [] } = query === null ? {} : toJsonSchema(query);
  const queried = Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = property as JsonSchema;
    return { name, in: 'query', required: required.includes(name), description, schema, ...EXTENSION };
  });
  const { id, idempotencyKey } = frame.parameters as Record<keyof typeof frame.parameters, Parameter>;
  return [...(path.includes('{id}') ? [id] : []), ...queried, ...(isKeyed ? [idempotencyKey] : [])];
}

function errorResponse(codes: readonly ErrorCode[]): Responses[string] {
  const [first = 'INTERNAL'] = codes;
  const isExtension = !codes.some(isSpecified);
  const messages = codes.map((code) => `\`${code}\`: ${errorRow(code).message}`).join('; ');
  // Lists all properties, because some tools reject properties that one part of an `allOf` doesn't list.
  const error: JsonSchema = {
    type: 'object',
    properties: { code: { enum: [...codes] }, message: {}, fields: {} },
  };
  const fields = first === 'VALIDATION_FAILED' ? { title: 'is required' } : undefined;
  const description = `${messages}${isExtension ? `. ${NOT_SPECIFIED}` : ''}`;
  const schema: JsonSchema = { allOf: [buildReference('Error'), { type: 'object', properties: { error } }] };
  const example = errorBody(new PartnerError(first, { fields }));
  return {
    ...buildResponse(description, errorRow(first).headers ?? [], schema, example),
    ...(isExtension && EXTENSION),
  };
}
