import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../src/contract/json-schema.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts';

const DOCUMENT = openApiDocument();
const HEADERS = Object.keys(DOCUMENT.components.headers);

/** Forbids response fields that the document doesn't list; real clients must allow them. */
const CLOSED = {
  ...DOCUMENT,
  components: {
    ...DOCUMENT.components,
    schemas: Object.fromEntries(
      Object.entries(DOCUMENT.components.schemas).map(([name, schema]) => [name, closed(schema)]),
    ),
  },
};

export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true, 'date-time': DATE_TIME } });
ajv.addSchema(CLOSED, 'openapi');
const answered = new Set<string>();
const compiled = new Map<string, ValidateFunction>();

const DOCUMENTED = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace('{id}', '[^/]+')}$`),
    pointer: `#/paths/${escaped(path)}/${method}`,
    operation,
  })),
);

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** Other people's servers must follow the specification, not our decisions. */
  readonly isRemote?: boolean;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly text: string | undefined;
}

/** Tests also send requests that are no documented operation; these pass. */
export function assertDocumented({ method, path, text }: Sent, { status, headers, body }: Answer): void {
  const found = DOCUMENTED.find((one) => one.method === method && one.path.test(path));
  if (found === undefined) return;
  const { operationId, responses } = found.operation;
  const name = responses[status]?.$ref.split('/').at(-1) ?? '';
  const response = DOCUMENT.components.responses[name];
  assert.ok(response, `${operationId} answered ${status}, which the document does not list`);
  answered.add(`${operationId} ${(body as { error?: { code: string } } | undefined)?.error?.code}`);
  assertFits(`#/components/responses/${name}/content/application~1json/schema`, body, operationId);
  const odd = HEADERS.filter((header) => headers.has(header) && !Object.hasOwn(response.headers, header));
  assert.deepEqual(odd, [], `headers of ${operationId} that the document does not list for ${status}`);
  if (status < 300 && found.operation.requestBody !== undefined) {
    const pointer = `${found.pointer}/requestBody/content/application~1json/schema`;
    assertFits(pointer, JSON.parse(text ?? ''), `what ${operationId} took`);
  }
}

export function unansweredErrors(): string[] {
  const listed = Object.entries<Operation>(OPERATIONS).flatMap(([name, { errors }]) =>
    errors.map((code) => `${name} ${code}`),
  );
  return listed.filter((each) => !answered.has(each));
}

function assertFits(pointer: string, value: unknown, what: string): void {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
  compiled.set(pointer, validate);
  const told = () => `${JSON.stringify(validate.errors)}: ${String(JSON.stringify(value)).slice(0, 2_000)}`;
  if (!validate(value)) assert.fail(`${what} does not fit the document: ${told()}`);
}

function closed(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(properties && {
      additionalProperties: schema.additionalProperties ?? false,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, closed(each as JsonSchema)]),
      ),
    }),
    ...(items && { items: closed(items as JsonSchema) }),
  };
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
}
