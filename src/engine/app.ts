import { type Context, Hono } from 'hono';
import { PartnerError } from '../contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { openOnce } from '../contract/promises.ts';
import { digestOf } from './companies/secrets.ts';
import { NO_BODY, readBody } from './http/body.ts';
import { idempotencyOf } from './http/idempotency.ts';
import { mount } from './http/mount.ts';
import { createLimiter, limitRate } from './http/rate-limit.ts';
import type { App, Call, EngineParts, Route } from './parts.ts';
import * as jobs from './routes/jobs.ts';
import { searchLocations } from './routes/locations.ts';
import type { Store } from './store/store.ts';
import type { PartnerKeyRow } from './store/tables.ts';

/** Section 9: the version stands in the path. */
export const PREFIX = '/v1';

const ROUTES: Readonly<Record<OperationName, Route>> = { ...jobs, searchLocations };

/** The partner API, and beside it, under the first segment of their paths, what is loaded with its first request. */
export function createSite(parts: EngineParts): App {
  const api = createApi(parts);
  const sides = new Map([
    ['dashboard', openOnce(async () => (await import('./dashboard/app.ts')).createDashboardApp(parts))],
    ['candidate', openOnce(async () => (await import('./applications/app.ts')).createCandidateApp(parts))],
  ]);
  return async (request, origin) => {
    const [, segment = ''] = new URL(request.url).pathname.split('/');
    const app = await sides.get(segment)?.open();
    return app === undefined ? api(request) : app(request, origin);
  };
}

type Env = { Variables: { companyId: string } };

function createApi(parts: EngineParts): App {
  const { store } = parts;
  const app = new Hono<Env>();
  const limiter = parts.rateLimit && createLimiter(parts.rateLimit, parts.clock);
  // Decision 13: the key and its rate are checked before anything else is looked at.
  app.use(`${PREFIX}/*`, async (context, next) => {
    store.assertInPlace();
    const key = await authenticate(context.req.raw.headers.get('authorization'), store);
    limitRate(limiter, key.id);
    context.set('companyId', key.company_id);
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
  return mount(app, [...routes, ...healthRoutes(store)], parts.reportBug);
}

/** `/healthz`: the process answers. `/readyz`: it can use its database. */
function healthRoutes(store: Store) {
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

/** The key in an `Authorization` header; throws INVALID_SERVICE_KEY (section 5). */
async function authenticate(header: string | null, store: Store): Promise<PartnerKeyRow> {
  if (header === null)
    throw invalidKey('the Authorization header is missing: send `Authorization: Bearer <key>`');
  const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (key === undefined) throw invalidKey('the Authorization header must read `Bearer <key>`');
  const found = await store.read.keys.findByDigest(digestOf(key));
  if (found === undefined) throw invalidKey('the partner key is unknown');
  if (found.revoked_at !== null) throw invalidKey('the partner key was revoked');
  return found;
}

function invalidKey(message: string): PartnerError {
  return new PartnerError('INVALID_SERVICE_KEY', { message });
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
    idempotent: idempotencyOf(request, context.req.path, body.bytes),
  };
}
