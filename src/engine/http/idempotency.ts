import { createHash } from 'node:crypto';
import { PartnerError } from '../../contract/errors.ts';
import type { PlainRequest } from '../../contract/http-messages.ts';
import type { Job } from '../../contract/job.ts';
import { isoTime } from '../../contract/time.ts';
import { IDEMPOTENCY_MS } from '../../contract/values.ts';
import type { Call, EngineParts, RouteResult } from '../parts.ts';
import type { Queries } from '../store/store.ts';

const KEY_CHARACTERS_MAX = 255;
const SWEEP_EVERY = 64;

export function readIdempotency(request: PlainRequest, path: string, body: Uint8Array) {
  const key = request.headers.get('idempotency-key');
  if (key === null || request.method !== 'POST') return undefined;
  if (key === '' || key.length > KEY_CHARACTERS_MAX) {
    const message = `must have 1 to ${KEY_CHARACTERS_MAX} characters, not ${key.length}`;
    throw new PartnerError('VALIDATION_FAILED', {
      message: `invalid input: Idempotency-Key ${message}`,
      fields: { 'Idempotency-Key': message },
    });
  }
  const requestDigest = createHash('sha256').update(`POST ${path}\n`).update(body).digest('hex');
  return { key, requestDigest };
}

/** With a key, stores the response in the write's transaction. Errors aren't stored, so clients can retry (section 3). */
export function withIdempotency(
  call: Call,
  { store, clock }: EngineParts,
  work: (queries: Queries) => Promise<Job>,
  isSingle = false,
): Promise<RouteResult> {
  const { idempotent, companyId } = call;
  const { status } = call.operation;
  if (idempotent === undefined)
    return store.write(async (queries) => ({ status, json: JSON.stringify(await work(queries)) }), isSingle);
  return store.write(async (queries) => {
    const oldestTime = isoTime(clock() - IDEMPOTENCY_MS);
    const earlier = await queries.idempotency.find(companyId, idempotent.key, oldestTime);
    if (earlier !== undefined) {
      if (earlier.request_digest !== idempotent.requestDigest) throw new PartnerError('IDEMPOTENCY_CONFLICT');
      return answer(earlier.answer_status, earlier.answer_body, 'replayed');
    }
    const job = await work(queries);
    const json = JSON.stringify(job);
    const stored = { request_digest: idempotent.requestDigest, answer_status: status, answer_body: json };
    await queries.idempotency.put(companyId, idempotent.key, stored, isoTime(clock()));
    if (job.id % SWEEP_EVERY === 0) await queries.idempotency.deleteOlder(oldestTime);
    return answer(status, json, 'stored');
  });
}

function answer(status: number, json: string, idempotency: 'stored' | 'replayed'): RouteResult {
  return { status, json, headers: { 'Idempotency-Status': idempotency } };
}
