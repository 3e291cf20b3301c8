import { PartnerError } from '../contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { openOnce } from '../contract/promises.ts';
import { digestSecret } from './companies/secrets.ts';
import { type Body, NO_BODY, readBody } from './http/body.ts';
import { readIdempotency } from './http/idempotency.ts';
import { mount, type Visit } from './http/mount.ts';
import { createLimiter, limitRate } from './http/rate-limit.ts';
import type { App, Call, EngineParts, Route } from './parts.ts';
import * as jobs from './routes/jobs.ts';
import { locationSearch } from './routes/locations.ts';
import { SCHEMA_VERSION } from './store/migrations.ts';
import { Remembered } from './store/remembered.ts';
import type { Store } from './store/store.ts';
import type { PartnerKeyRow } from './store/tables.ts';

export const READY_PATH = '/readyz';
export const HEALTH_PATH = '/healthz';

/** API version as a path prefix (docs/service.md, section 9). */
export const PREFIX = '/v1';

const DOCUMENT_PATH = `${PREFIX}/openapi.json`;

const KEYS_MAX = 5_000;

const FIRST_SEGMENT = /^[^/]*\/\/[^/]*\/([^/?#]*)/;

export function createSite(parts: EngineParts): App {
  const api = createApi(parts);
  const sides = new Map([
    ['dashboard', openOnce(async () => (await import('./dashboard/app.ts')).createDashboardApp(parts))],
    ['candidate', openOnce(async () => (await import('./applications/app.ts')).createCandidateApp(parts))],
  ]);
  return (request, origin) => {
    const [, segment = ''] = FIRST_SEGMENT.exec(request.url) ?? [];
    const side = sides.get(segment);
    if (side === undefined) return api(request, origin);
    if (origin?.facts !== undefined) origin.facts.operation = segment;
    return side.open().then((app) => app(request, origin));
  };
}

function createApi(parts: EngineParts): App {
  const { store } = parts;
  const handlers: Readonly<Record<OperationName, Route>> = { ...jobs, searchLocations: locationSearch() };
  const limiter = parts.rateLimit && createLimiter(parts.rateLimit, parts.clock);
  const known = new Remembered<PartnerKeyRow>(store, KEYS_MAX, parts.elapsedMs);
  // The key and its rate limit are checked before everything else (decision 13).
  const admit = async ({ request, origin, path }: Visit): Promise<PartnerKeyRow | undefined> => {
    if ((path !== PREFIX && !path.startsWith(`${PREFIX}/`)) || path === DOCUMENT_PATH) return undefined;
    store.assertInPlace();
    const { facts, remoteAddress } = origin;
    const digest = parseKeyDigest(request.headers.get('authorization'));
    let key = known.get(digest);
    if (key === undefined) {
      key = await known.read(digest, () => loadValidKey(digest, store));
      // Only HTTP requests count as a use, because commands that read the database directly must not write to it.
      if (remoteAddress !== undefined) parts.keyUses.record(key);
    }
    if (facts !== undefined) Object.assign(facts, { keyId: key.id, companyId: key.company_id });
    limitRate(limiter, key.id);
    return key;
  };
  const routes = (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
    const operation: Operation = OPERATIONS[name];
    return {
      name,
      method: operation.method,
      path: PREFIX + operation.path,
      handle: async (visit: Visit, key: PartnerKeyRow | undefined) => {
        const body = operation.body === null ? NO_BODY : await readBody(visit.request);
        return handlers[name](buildCall(visit, operation, key?.company_id ?? '', body), parts);
      },
    };
  });
  return mount({
    routes: [...routes, createDocumentRoute(), ...createHealthRoutes(store)],
    admit,
    reportBug: parts.reportBug,
  });
}

function createDocumentRoute() {
  const document = openOnce(async () => {
    const { openApiDocument } = await import('../contract/openapi.ts');
    return { status: 200, json: JSON.stringify(openApiDocument()) };
  });
  return { name: 'openapi', method: 'GET', path: DOCUMENT_PATH, handle: document.open };
}

/** `/healthz` only shows that the process responds. `/readyz` also checks the database. */
function createHealthRoutes(store: Store) {
  const ok = { status: 200, json: JSON.stringify({ status: 'ok' }) };
  const ready = async () => {
    store.assertInPlace();
    await store.read.clock.offsetMs();
    if ((await store.schemaVersion()) !== SCHEMA_VERSION) {
      throw new PartnerError('UNAVAILABLE', {
        message: 'the database has the schema of a different release',
      });
    }
    if (!(await store.read.database.isWritable())) {
      throw new PartnerError('UNAVAILABLE', { message: 'the database is read-only' });
    }
    return ok;
  };
  return [
    { name: 'healthz', method: 'GET', path: HEALTH_PATH, handle: async () => ok },
    { name: 'readyz', method: 'GET', path: READY_PATH, handle: ready },
  ];
}

/** Throws INVALID_SERVICE_KEY if the header is missing or malformed (section 5). */
function parseKeyDigest(header: string | null): string {
  if (header === null)
    throw createInvalidKey('the Authorization header is missing: send `Authorization: Bearer <key>`');
  const key = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (key === undefined) throw createInvalidKey('the Authorization header must be `Bearer <key>`');
  return digestSecret(key);
}

async function loadValidKey(digest: string, store: Store): Promise<PartnerKeyRow> {
  const found = await store.read.keys.findByDigest(digest);
  if (found === undefined) throw createInvalidKey('invalid partner key');
  if (found.revoked_at !== null) throw createInvalidKey('the partner key was revoked');
  return found;
}

function createInvalidKey(message: string): PartnerError {
  return new PartnerError('INVALID_SERVICE_KEY', { message });
}

const NO_QUERY = new URLSearchParams();
/** Parsing the query alone is faster than parsing the whole URL. */
const BESIDE_QUERY = /^[^?#]*|#.*/gs;

function buildCall({ request, path, id }: Visit, operation: Operation, companyId: string, body: Body): Call {
  return {
    operation,
    companyId,
    id,
    query: request.url.includes('?') ? new URLSearchParams(request.url.replace(BESIDE_QUERY, '')) : NO_QUERY,
    body,
    idempotent: readIdempotency(request, path, body.bytes),
  };
}
