import { type Context, Hono } from 'hono';
import { errorBody, errorRow, PartnerError } from '../contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { textResponse } from '../contract/whole-text.ts';
import { authenticate } from './http/authenticate.ts';
import { NO_BODY, readBody } from './http/body.ts';
import type { Answer, Call } from './http/call.ts';
import { onceOf } from './http/idempotency.ts';
import { createLimiter, type Limiter } from './http/rate-limit.ts';
import type { EngineParts } from './parts.ts';
import { ROUTES } from './routes/table.ts';

/** Section 9: the version stands in the path. */
export const PREFIX = '/v1';

type Env = { Variables: { companyId: string } };

/** The service as a value: answers every request, also those it refuses, and never rejects. */
export function createApp(parts: EngineParts): (request: Request) => Promise<Response> {
  const app = new Hono<Env>();
  const limiter = parts.rateLimit && createLimiter(parts.rateLimit, parts.clock);
  app.use(`${PREFIX}/*`, async (context, next) => {
    await admit(context, parts, limiter);
    await next();
  });
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const operation: Operation = OPERATIONS[name];
    app.on(operation.method, routePath(operation), async (context) => {
      const answer = await ROUTES[name](await receive(context, operation), parts);
      return respond(answer);
    });
  }
  for (const [path, methods] of methodsByPath()) {
    app.all(path, (context) => {
      context.header('Allow', methods.join(', '));
      throw new PartnerError('METHOD_NOT_ALLOWED', {
        message: `${context.req.method} is not offered here, only ${methods.join(', ')}`,
      });
    });
  }
  app.notFound((context) =>
    respondError(
      context,
      new PartnerError('NOT_FOUND', { message: 'the service has no such address' }),
      parts,
    ),
  );
  app.onError((error, context) => respondError(context, error, parts));
  return async (request) => app.fetch(request);
}

/** Who asks, and whether not too often: before anything else is looked at (decision 13). */
async function admit(
  context: Context<Env>,
  { store }: EngineParts,
  limiter: Limiter | undefined,
): Promise<void> {
  const key = await authenticate(context.req.raw.headers.get('authorization'), store);
  const waitSeconds = limiter?.(key.id) ?? 0;
  if (waitSeconds > 0) {
    context.header('Retry-After', String(waitSeconds));
    throw new PartnerError('RATE_LIMITED', { message: `too many requests: wait ${waitSeconds} s` });
  }
  context.set('companyId', key.company_id);
}

async function receive(context: Context<Env>, operation: Operation): Promise<Call> {
  const request = context.req.raw;
  const body = operation.body === null ? NO_BODY : await readBody(request);
  return {
    operation,
    companyId: context.get('companyId'),
    id: context.req.param('id'),
    query: new URL(request.url).searchParams,
    body,
    once: onceOf(request, context.req.path, body.bytes),
  };
}

const JSON_CONTENT = { 'Content-Type': 'application/json' } as const;

function respond({ status, json, headers }: Answer): Response {
  return textResponse(json, { status, headers: { ...JSON_CONTENT, ...headers } });
}

/** Section 2.7. What is no error of the table, or has no status there, is a fault of ours: 500, and no detail. */
function respondError(context: Context<Env>, error: unknown, { reportBug }: EngineParts): Response {
  const isOurs = error instanceof PartnerError && errorRow(error.code).status !== null;
  if (!isOurs) reportBug(error);
  const told = isOurs ? error : new PartnerError('INTERNAL');
  if (told.code === 'INVALID_SERVICE_KEY') context.header('WWW-Authenticate', 'Bearer');
  const status = errorRow(told.code).status ?? 500;
  // Over the context, which holds the headers that the refusal has set.
  return context.body(JSON.stringify(errorBody(told)), status as 500, JSON_CONTENT);
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const operation of Object.values(OPERATIONS)) {
    const path = routePath(operation);
    methods.set(path, [...(methods.get(path) ?? []), operation.method]);
  }
  return methods;
}

function routePath({ path }: Operation): string {
  return PREFIX + path.replace('{id}', ':id');
}
