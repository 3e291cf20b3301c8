import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import type { Job, LocationSuggestion } from '../../src/contract/job.ts';
import { NotOffered, NotTried, type Remote } from '../../test/http/any-server.ts';
import { NO_SUCH_JOB } from '../../test/http/endpoints.ts';
import { TEST_OPPORTUNITY, TEST_TITLE } from '../../test/http/listing.ts';
import type { Subject } from '../../test/http/subject.ts';
import type { ContractLine } from './text.ts';

export interface RemoteOptions {
  readonly baseUrl: string;
  readonly key: string;
  /** Allows tests to publish listings, which are closed at the end. */
  readonly publish?: boolean;
  /** Query parameter for location search text. The specification doesn't define its name. */
  readonly queryParameter?: string;
  /** Called with each result as soon as it's available. */
  readonly onLine?: (line: ContractLine) => void;
  /** Replacements for the network and the clock in tests. */
  readonly send?: Subject['send'];
  readonly now?: () => number;
}

const NAMES = ['Boston', 'Austin', 'London', 'Berlin', 'Singapore', 'Paris'];
const MARK = { title: TEST_TITLE, opportunityId: TEST_OPPORTUNITY };
const ATTEMPTS = 5;

/** Connects to a server with only its URL and one key. Throws if the server refuses the key or a draft. */
export async function openRemote(options: RemoteOptions): Promise<Subject & { readonly remote: Remote }> {
  const { baseUrl, key, queryParameter = 'q' } = options;
  const pool = new Pool(new URL(baseUrl).origin, { headersTimeout: 30_000, bodyTimeout: 30_000 });
  const answer = patient(options.send ?? ((request) => sendThrough(pool, request)));
  const drafts = new Set<number>();
  const live = new Set<number>();
  const keyed = (method: string, path: string, body?: object, headers: object = {}) =>
    answer(
      new Request(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );

  const probe = await keyed('POST', '/jobs', MARK, { 'idempotency-key': crypto.randomUUID() });
  const draft = (await jsonOf(probe)) as Partial<Job> | undefined;
  if (!probe.ok || draft?.id === undefined) {
    await pool.close();
    throw new Error(`POST ${baseUrl}/jobs returned ${probe.status} ${JSON.stringify(draft ?? null)}`);
  }
  drafts.add(draft.id);
  const listed = (await jsonOf(await keyed('GET', '/jobs?limit=1'))) as { items?: unknown } | undefined;
  const paused = (await jsonOf(await keyed('POST', `/jobs/${draft.id}/pause`))) as
    | { id?: number; error?: { code: string } }
    | undefined;
  const offers = {
    list: Array.isArray(listed?.items),
    keys: probe.headers.has('idempotency-status'),
    // A draft can't be paused, so INVALID_TRANSITION shows that the server supports the operation. So does a success.
    pause: paused?.error?.code === 'INVALID_TRANSITION' || paused?.id === draft.id,
  };
  const places: LocationSuggestion[] = [];
  for (const name of NAMES) {
    const found = await jsonOf(await keyed('GET', `/locations/search?${queryParameter}=${name}`));
    const [first] = (found as { items?: LocationSuggestion[] } | undefined)?.items ?? [];
    if (first !== undefined) places.push(first);
    if (places.length === 2) break;
  }

  /** Throws if a request would publish without permission, or needs an operation that the server doesn't support. */
  async function assertTried(request: Request): Promise<void> {
    const path = request.url.slice(baseUrl.length);
    const [, id, move] = /^\/jobs\/([^/?]+)\/(\w+)$/.exec(path) ?? [];
    const isPublication =
      move === 'publish' || (path === '/jobs' && /"publish": ?true/.test(await request.clone().text()));
    const isOurKey = request.headers.get('authorization') === `Bearer ${key}`;
    if (isPublication && isOurKey && id !== String(NO_SUCH_JOB) && options.publish !== true)
      throw new NotTried('it publishes a listing, which requires --publish');
    if ((move === 'pause' || move === 'resume') && !offers.pause)
      throw new NotOffered(`POST /jobs/{id}/${move}`);
    if (request.method === 'GET' && /^\/jobs(\?|$)/.test(path) && !offers.list)
      throw new NotOffered('GET /jobs');
    if (request.headers.has('idempotency-key') && !offers.keys) throw new NotOffered('Idempotency-Key');
  }

  const alone = (what: string) => () => Promise.reject(new NotTried(`it requires ${what}`));
  return {
    baseUrl,
    remote: { mark: MARK, places, queryParameter, offers, drafts, live },
    async send(request) {
      await assertTried(request);
      const response = await answer(request);
      const job = (await jsonOf(response.clone())) as Partial<Job> | undefined;
      const id = Number(job?.id);
      if (Number.isSafeInteger(id) && typeof job?.status === 'string') {
        const isLive = job.status === 'ACTIVE' || job.status === 'PAUSED';
        drafts[job.status === 'DRAFT' ? 'add' : 'delete'](id);
        live[isLive ? 'add' : 'delete'](id);
      }
      return response;
    },
    now: options.now ?? Date.now,
    newCompany: async () => ({ companyId: String(draft.companyId), key }),
    // Do nothing, because only publishing shows whether the terms are accepted and a card is on file.
    acceptTerms: async () => {},
    addCard: async () => {},
    passTime: alone('time to pass'),
    apply: alone('a candidate'),
    issueKey: alone('a second key'),
    revokeKey: alone('revoking a key'),
    async close() {
      for (const id of [...live]) {
        const closed = await keyed('POST', `/jobs/${id}/close`).catch(() => undefined);
        if (closed?.ok) live.delete(id);
      }
      await pool.close();
    },
  };
}

/** Retries rate-limited requests after the time in `Retry-After`. */
function patient(send: Subject['send']): Subject['send'] {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const response = await send(request.clone());
      if (response.status !== 429 || attempt === ATTEMPTS) return response;
      await sleep(Math.min(30, Number(response.headers.get('retry-after')) || 1) * 1_000);
    }
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return (await response.json()) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Doesn't use the global `fetch`, because a test may have replaced it with a mock. */
export async function sendThrough(pool: Pool, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { statusCode, headers, body } = await pool.request({
    path: pathname + search,
    method: request.method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(request.headers),
    body: request.body === null ? null : Buffer.from(await request.arrayBuffer()),
  });
  const told = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const text = await body.text();
  // A Response with status 204 or 304 can't have a body, not even an empty string.
  return new Response(text === '' ? null : text, { status: statusCode, headers: told });
}
