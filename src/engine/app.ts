import { type Context, Hono } from 'hono';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { authenticate } from './http/authenticate.ts';
import { NO_BODY, readBody } from './http/body.ts';
import type { Call } from './http/call.ts';
import { onceOf } from './http/idempotency.ts';
import { mount } from './http/mount.ts';
import { createLimiter, type Limiter, limitRate } from './http/rate-limit.ts';
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
    parts.store.assertInPlace();
    await admit(context, parts, limiter);
    await next();
  });
  const routes = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
    const operation: Operation = OPERATIONS[name];
    return {
      method: operation.method,
      path: PREFIX + operation.path.replace('{id}', ':id'),
      handle: async (context: Context<Env>) => ROUTES[name](await receive(context, operation), parts),
    };
  });
  return mount(app, [...routes, ...healthRoutes(parts)], parts.reportBug);
}

/** For whoever runs the server: whether the process answers, and whether it can use its database. */
function healthRoutes({ store }: EngineParts) {
  const ok = { status: 200, json: JSON.stringify({ status: 'ok' }) };
  const ready = async () => {
    store.assertInPlace();
    await store.read.clock.offsetMs();
    return ok;
  };
  return [
    { method: 'GET', path: '/healthz', handle: async () => ok },
    { method: 'GET', path: '/readyz', handle: ready },
  ];
}

/** Who asks, and whether not too often: before anything else is looked at (decision 13). */
async function admit(
  context: Context<Env>,
  { store }: EngineParts,
  limiter: Limiter | undefined,
): Promise<void> {
  const key = await authenticate(context.req.raw.headers.get('authorization'), store);
  limitRate(limiter, key.id);
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
