import { COMMON_ERRORS, type ErrorCode, errorRow } from '../src/contract/errors.ts';
import type { JsonSchema } from '../src/contract/json-schema.ts';
import { openApiDocument } from '../src/contract/openapi.ts';
import { OPERATIONS, type Operation } from '../src/contract/operations.ts';

const DOCUMENT = openApiDocument();
const { schemas, headers } = DOCUMENT.components;

/** Next steps for API clients. The error table omits them, because it's written for users of the CLI. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'check `fields` for the problem of each field. Nothing was stored',
  UNSUPPORTED_MEDIA_TYPE: 'send uncompressed UTF-8 with `Content-Type: application/json`',
  PAYLOAD_TOO_LARGE: 'send a smaller body',
  HEADERS_TOO_LARGE: 'shorten the URL or the headers',
  BAD_REQUEST: 'check the request that your client or proxy sends',
  EXPECTATION_FAILED: 'remove the `Expect` header, or set it to `100-continue`',
};

const EXTENSION_MARK = ' · **Extension**';

/** Operations with an example response. The other responses contain the same kinds of objects. */
const SHOWN = ['createJob', 'searchLocations'];

const INTRODUCTION = `# The HTTP API

This page lists every operation with its fields, responses and errors. It is generated from the OpenAPI document. A running
engine serves that document at \`/v1/openapi.json\` without a key. To print it, run \`partner engine openapi\`:

\`\`\`sh
partner engine openapi > openapi.json
\`\`\`

All paths are relative to the base URL, which ends in \`/v1\`. \`partner engine serve\` prints its base URL. Bodies are JSON.
Every request requires a partner key:

\`\`\`http
GET /v1/jobs/1042 HTTP/1.1
Authorization: Bearer sk_ext_…
\`\`\`

**Extension** marks additions to the specification. The bundled engine supports them. Other servers may not
support them, or may implement them differently.
Requests with unknown fields are rejected. Clients should ignore unknown fields and accept unknown codes in responses.

An error is \`{"error": {"code", "message", "fields"}}\`. Programs should check \`code\`. The \`message\` is for
users. Only VALIDATION_FAILED has \`fields\`, which maps each invalid field to its problem. An unknown path returns 404
NOT_FOUND, and an unsupported method returns 405 METHOD_NOT_ALLOWED.

## Every operation

Each operation can return these errors:
`;

/** Renders docs/api.md from the OpenAPI document and the error table. */
export function apiPage(): string {
  const operations = Object.entries<Operation>(OPERATIONS).map(([name, operation]) =>
    operationSection(name, operation),
  );
  const tables = Object.entries(schemas).map(([name, schema]) => schemaSection(name, schema));
  return [
    INTRODUCTION,
    errorTable(COMMON_ERRORS),
    '\nResponses can have these headers:\n',
    table(
      ['header', 'meaning'],
      Object.entries(headers).map(([name, { description }]) => [`\`${name}\``, marked(description)]),
    ),
    ...operations,
    '\n## Bodies\n',
    ...tables,
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

function operationSection(name: string, operation: Operation): string {
  const { method, path, summary, errors, status, isExtension } = operation;
  const found = DOCUMENT.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`the OpenAPI document has no ${method} ${path}`);
  const { parameters, requestBody, responses } = found;
  const answer = DOCUMENT.components.responses[responses[status]?.$ref.split('/').at(-1) ?? ''];
  const content = answer?.content['application/json'];
  const isShown = SHOWN.includes(name);
  const body = requestBody?.content['application/json'];
  return [
    `\n## ${name}\n`,
    `\`${method} ${path}\`${isExtension ? EXTENSION_MARK : ''}\n`,
    `${summary}.\n`,
    ...(parameters.length === 0
      ? []
      : [
          table(
            ['parameter', 'in', 'type', 'meaning'],
            parameters.map(({ name: parameter, required, schema, description, ...rest }) => [
              `\`${parameter}\`${required ? ', required' : ''}`,
              rest.in,
              typeWords(schema),
              marked(description) +
                ('x-partner-extension' in rest && rest.in === 'query' ? EXTENSION_MARK : ''),
            ]),
          ),
          '',
        ]),
    ...(body === undefined ? [] : [`The body is a ${linkTo(body.schema)}:\n`, example(body.example)]),
    `Returns ${status} and a ${linkTo(content?.schema ?? {})}${isShown ? ':' : '.'}\n`,
    ...(isShown ? [example(content?.example)] : []),
    'Other errors:\n',
    errorTable(errors),
  ].join('\n');
}

function example(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}

function errorTable(codes: readonly ErrorCode[]): string {
  const rows = codes
    .map((code) => ({ code, ...errorRow(code) }))
    .sort((one, other) => (one.status ?? 0) - (other.status ?? 0))
    .map(({ status, code, message, next = NEXT[code] ?? '' }) => [
      String(status),
      `\`${code}\``,
      message,
      next,
    ]);
  return table(['status', 'code', 'meaning', 'what to do'], rows);
}

function schemaSection(name: string, schema: JsonSchema): string {
  const heading = `\n### ${name}\n`;
  if (name === 'JobUpdate') {
    return `${heading}\nAn update can have all fields of a [JobInput](#jobinput) except \`publish\`. An array replaces the whole stored array.\n`;
  }
  const isSent = name.endsWith('Input');
  const rows = fieldsOf(schema).map(({ path, property, isRequired }) => {
    const mark = isSent === isRequired ? (isSent ? ', required' : ', may be absent') : '';
    return [`\`${path}\`${mark}`, typeWords(property), property.description ?? ''];
  });
  return [heading, table(['field', 'type', 'meaning'], rows)].join('\n');
}

interface Field {
  readonly path: string;
  readonly property: JsonSchema;
  readonly isRequired: boolean;
}

/** Includes the fields of nested objects, because only named schemas have a separate section. */
function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([name, each]) => {
    const property = each as JsonSchema;
    const path = `${prefix}${name}`;
    return [
      { path, property, isRequired: required.includes(name) },
      ...fieldsOf(property, `${path}.`),
      ...fieldsOf((property.items ?? {}) as JsonSchema, `${path}[].`),
    ];
  });
}

function typeWords(schema: JsonSchema): string {
  const { $ref, anyOf, enum: values, type, items, minimum, maximum, maxLength, maxItems, format } = schema;
  if ($ref !== undefined) return linkTo(schema);
  if (anyOf !== undefined) {
    return anyOf.map((one) => (isNull(one) ? 'null' : typeWords(one as JsonSchema))).join(' or ');
  }
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(type)) return type.map((one) => typeWords({ type: one })).join(' or ');
  if (type === 'array') {
    const most = maxItems === undefined ? '' : ` of at most ${maxItems}`;
    return `array${most}: ${typeWords((items ?? {}) as JsonSchema)}`;
  }
  if (type === 'object' && schema.additionalProperties) return 'object of strings';
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return [
    type === 'string' ? (format ?? 'string') : String(type),
    ...(least === undefined ? [] : [most === undefined ? ` from ${least}` : ` ${least} to ${most}`]),
    ...(maxLength === undefined ? [] : [` of at most ${maxLength} characters`]),
    ...(schema.default === undefined ? [] : [`, default ${schema.default}`]),
  ].join('');
}

function isNull(schema: JsonSchema | boolean): boolean {
  return typeof schema === 'object' && schema.type === 'null';
}

function linkTo({ $ref = '' }: JsonSchema): string {
  const name = $ref.split('/').at(-1) ?? '';
  return `[${name}](#${name.toLowerCase()})`;
}

function marked(description: string): string {
  return description.replace('. This is an extension of the bundled engine.', EXTENSION_MARK);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line), ''].join('\n');
}
