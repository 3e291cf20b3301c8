import type * as z from 'zod';
import { type ErrorCode, errorBody, errorRow, PartnerError } from './errors.ts';
import {
  BudgetInputSchema,
  JobInputSchema,
  JobSchema,
  JobUpdateSchema,
  LocationInputSchema,
  LocationSuggestionSchema,
  QualificationInputSchema,
  QuestionInputSchema,
} from './job.ts';
import { ErrorBodySchema, type JsonSchema, toComponents, toJsonSchema } from './json-schema.ts';
import { EXAMPLE_INPUT, EXAMPLE_JOB } from './openapi-examples.ts';
import { COMMON_ERRORS, JobPageSchema, OPERATIONS, type Operation, PlacePageSchema } from './operations.ts';
import { LIMITS } from './values.ts';

const SCHEMAS = {
  JobInput: JobInputSchema,
  JobUpdate: JobUpdateSchema,
  Job: JobSchema,
  JobPage: JobPageSchema,
  LocationInput: LocationInputSchema,
  LocationSuggestion: LocationSuggestionSchema,
  LocationPage: PlacePageSchema,
  QualificationInput: QualificationInputSchema,
  QuestionInput: QuestionInputSchema,
  BudgetInput: BudgetInputSchema,
  Error: ErrorBodySchema,
} as const satisfies Record<string, z.ZodType>;

type SchemaName = keyof typeof SCHEMAS;

const EXAMPLES: Partial<Record<SchemaName, unknown>> = {
  JobInput: EXAMPLE_INPUT,
  JobUpdate: { salaryMax: 115_000, atsJobUrl: null },
  Job: EXAMPLE_JOB,
  JobPage: { items: [EXAMPLE_JOB], nextCursor: null },
  LocationPage: { items: EXAMPLE_JOB.locations },
};

/** Section 7; every other code is a decision of ours. */
const SPECIFIED: readonly ErrorCode[] = [
  'INVALID_SERVICE_KEY',
  'PAYMENT_METHOD_REQUIRED',
  'NOT_FOUND',
  'AGREEMENT_OUTDATED',
  'JOB_FROZEN',
  'VALIDATION_FAILED',
  'INVALID_TRANSITION',
];

/** What the specification does not have is marked so, for generators and for readers. */
const EXTENSION = { 'x-partner-extension': true } as const;
const NOT_SPECIFIED = 'Not in the specification: an extension of the bundled engine.';

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: {
    readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown };
  };
}

type OperationObject = ReturnType<typeof operationObject>;

/** The OpenAPI 3.1 document of the service, made from the table of operations. */
export function openApiDocument() {
  const responses: Record<string, ResponseObject> = {};
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const [name, operation] of Object.entries<Operation>(OPERATIONS)) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = operationObject(name, operation, responses);
    paths[operation.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Job Management API',
      version: '1.0',
      summary: 'Create, edit, publish, read and close job listings',
      description: `What the bundled engine answers, and nothing that it does not. Where the specification is silent, the engine has decided: what is marked \`x-partner-extension\` another server may not have, or have otherwise. A body has at most ${LIMITS.bodyBytes} bytes. Unknown fields of a request are refused; a client must bear with unknown fields and codes in answers.`,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      { url: '/v1', description: 'The server that answered this document' },
      { url: 'http://127.0.0.1:4650/v1', description: '`partner engine serve` on this machine' },
    ],
    security: [{ partnerKey: [] }],
    tags: [
      { name: 'jobs', description: 'Job listings of the company that the key belongs to' },
      { name: 'locations', description: 'The canonical places that a job may name' },
    ],
    paths,
    components: {
      securitySchemes: {
        partnerKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A partner key, bound to one company. It begins with `sk_ext_`.',
        },
      },
      headers: HEADERS,
      schemas: toComponents(SCHEMAS),
      responses,
    },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

const text = (description: string, extension: object = {}) => ({
  description,
  schema: { type: 'string' },
  ...extension,
});

const HEADERS = {
  'X-Request-Id': text(`Names the request in the server's log. ${NOT_SPECIFIED}`, EXTENSION),
  'Idempotency-Status': {
    ...text(`Where an \`Idempotency-Key\` was sent. ${NOT_SPECIFIED}`, EXTENSION),
    schema: { type: 'string', enum: ['stored', 'replayed'] },
  },
  'WWW-Authenticate': text('Always `Bearer`'),
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
};

const JOB_ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The job's id",
  schema: { type: 'integer', minimum: 1 } as JsonSchema,
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `The first success under a key is answered again for 24 hours. ${NOT_SPECIFIED}`,
  schema: { type: 'string', minLength: 1, maxLength: 255 } as JsonSchema,
  ...EXTENSION,
};

function headersOf(...names: (keyof typeof HEADERS)[]) {
  const all = ['X-Request-Id' as const, ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Adds the answers that it refers to. */
function operationObject(name: string, operation: Operation, responses: Record<string, ResponseObject>) {
  const { method, path, summary, body, answer, isExtension } = operation;
  const isKeyed = method === 'POST';
  const answered = schemaNamed(answer);
  const success = `${answered}-${operation.status}${isKeyed ? '-keyed' : ''}`;
  responses[success] ??= {
    description: answered === 'Job' ? 'The job as it now stands' : 'One page',
    headers: headersOf(...(isKeyed ? ['Idempotency-Status' as const] : [])),
    content: contentOf(answered),
  };
  const references: Record<string, string> = { [operation.status]: success };
  for (const [status, codes] of codesByStatus([...operation.errors, ...COMMON_ERRORS])) {
    references[status] = codes.join('-');
    responses[codes.join('-')] ??= errorResponse(codes);
  }
  return {
    operationId: name,
    summary,
    ...(isExtension && { description: NOT_SPECIFIED, ...EXTENSION }),
    tags: [path.split('/')[1] ?? ''],
    parameters: parametersOf(operation, isKeyed),
    ...(body && { requestBody: { required: true, content: contentOf(schemaNamed(body)) } }),
    responses: Object.fromEntries(
      Object.entries(references).map(([status, key]) => [status, { $ref: `#/components/responses/${key}` }]),
    ),
  };
}

function contentOf(name: SchemaName) {
  return { 'application/json': { schema: referenceTo(name), example: EXAMPLES[name] } };
}

function referenceTo(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function schemaNamed(schema: z.ZodType): SchemaName {
  const [name] = Object.entries(SCHEMAS).find(([, each]) => each === schema) ?? [];
  if (name === undefined) throw new Error('a schema of the table of operations has no name in the document');
  return name as SchemaName;
}

function parametersOf({ path, query }: Operation, isKeyed: boolean) {
  const { properties = {}, required = [] } = query === null ? {} : toJsonSchema(query);
  const queried = Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = property as JsonSchema;
    return { name, in: 'query', required: required.includes(name), description, schema, ...EXTENSION };
  });
  return [...(path.includes('{id}') ? [JOB_ID] : []), ...queried, ...(isKeyed ? [IDEMPOTENCY_KEY] : [])];
}

function codesByStatus(codes: readonly ErrorCode[]): [status: string, codes: ErrorCode[]][] {
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(errorRow(code).status);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([one], [other]) => Number(one) - Number(other));
}

function errorResponse(codes: readonly ErrorCode[]): ResponseObject {
  const isExtension = !codes.some((code) => SPECIFIED.includes(code));
  const messages = codes.map((code) => `\`${code}\`: ${errorRow(code).message}`).join('; ');
  // Those named without a rule are said to be known: tools take what a part of a schema does not name as forbidden.
  const error: JsonSchema = {
    type: 'object',
    properties: { code: { enum: [...codes] }, message: {}, fields: {} },
  };
  const schema: JsonSchema = { allOf: [referenceTo('Error'), { type: 'object', properties: { error } }] };
  const mayRetry = codes.includes('RATE_LIMITED') || codes.includes('UNAVAILABLE');
  const fields = codes[0] === 'VALIDATION_FAILED' ? { title: 'is required' } : undefined;
  return {
    description: `${messages}${isExtension ? `. ${NOT_SPECIFIED}` : ''}`,
    headers: headersOf(
      ...(codes.includes('INVALID_SERVICE_KEY') ? ['WWW-Authenticate' as const] : []),
      ...(mayRetry ? ['Retry-After' as const] : []),
    ),
    content: {
      'application/json': {
        schema,
        example: errorBody(new PartnerError(codes[0] ?? 'INTERNAL', { fields })),
      },
    },
    ...(isExtension && EXTENSION),
  };
}
