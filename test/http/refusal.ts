import assert from 'node:assert/strict';
import type { Job } from '../../src/contract/job.ts';
import { isObject } from '../../src/contract/values.ts';
import { type Answer, itemsIn, type Partner } from './partner.ts';

export interface RefusalBody {
  readonly code: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * Holds an answer against 2.7: status, code, a message, and `fields` with exactly the given names
 * (none for an error that is no validation failure). Gives the error, for a closer look.
 */
export function assertRefused(answer: Answer, status: number, code: string, fields?: readonly string[]) {
  const told = `answered ${answer.status}: ${JSON.stringify(answer.body)}`;
  if (answer.isRemote) return assertRefusedThere(answer, status, code, fields);
  assert.equal(answer.status, status, told);
  assert.deepEqual(Object.keys(answer.body as object), ['error'], told);
  const { error } = answer.body as { error: RefusalBody };
  assert.equal(error.code, code, told);
  assert.ok(typeof error.message === 'string' && error.message.trim() !== '', told);
  if (fields !== undefined)
    assert.deepEqual(Object.keys(error.fields ?? {}).sort(), [...fields].sort(), told);
  for (const text of Object.values(error.fields ?? {}))
    assert.ok(typeof text === 'string' && text.trim() !== '', told);
  for (const key of Object.keys(error)) assert.ok(['code', 'message', 'fields'].includes(key), told);
  return error;
}

/** As a server that is not ours must: no status is specified of INVALID_TRANSITION, and no name within an array. */
function assertRefusedThere(
  { status: given, body }: Answer,
  status: number,
  code: string,
  fields: readonly string[] = [],
): RefusalBody {
  const told = `answered ${given}: ${JSON.stringify(body)}`;
  if (code === 'INVALID_TRANSITION') assert.ok(given >= 400 && given < 500, told);
  else assert.equal(given, status, `${told} instead of ${status}`);
  const { error } = (isObject(body) ? body : {}) as { error?: RefusalBody };
  assert.equal(error?.code, code, `${told} instead of ${code}`);
  assert.ok(typeof error?.message === 'string' && error.message !== '', `${told} has no message`);
  const roots = Object.keys(error.fields ?? {}).map((name) => /^\w+/.exec(name)?.[0]);
  for (const field of fields)
    assert.ok(roots.includes(/^\w+/.exec(field)?.[0]), `${told} does not name ${field}`);
  return error;
}

/** 422 VALIDATION_FAILED that names exactly these fields. */
export function assertInvalid(answer: Answer, ...fields: string[]): RefusalBody {
  return assertRefused(answer, 422, 'VALIDATION_FAILED', fields);
}

/** 409 INVALID_TRANSITION (decision 7). */
export function assertWrongState(answer: Answer): RefusalBody {
  return assertRefused(answer, 409, 'INVALID_TRANSITION');
}

/** Sends an input on create and on update: both are refused for exactly these fields. Gives the refusal. */
export async function assertInputRefused(
  partner: Partner,
  { id }: Pick<Job, 'id'>,
  input: object,
  ...fields: string[]
): Promise<RefusalBody> {
  assertInvalid(await partner.create(input), ...fields);
  // With a change that is allowed beside it: nothing of a refused update may stick.
  return assertInvalid(await partner.update(id, { opportunityId: 'OPP-refused', ...input }), ...fields);
}

/** Makes an attempt and holds that the job reads as before it. */
export async function changingNothing<T>(
  partner: Partner,
  { id }: Pick<Job, 'id'>,
  attempt: () => Promise<T>,
): Promise<T> {
  const before = await partner.job(id);
  const outcome = await attempt();
  assert.deepEqual(await partner.job(id), before);
  return outcome;
}

/** Makes an attempt and holds that the company's jobs read as before it: none is new, none has changed. */
export async function storingNothing<T>(partner: Partner, attempt: () => Promise<T>): Promise<T> {
  const { remote } = partner.subject;
  if (remote && !remote.offers.list) return attempt();
  // Elsewhere, others make jobs meanwhile.
  const jobs = async () =>
    itemsIn(await partner.list('?limit=100')).filter(
      ({ opportunityId }) => remote === undefined || opportunityId === remote.mark.opportunityId,
    );
  const before = await jobs();
  const outcome = await attempt();
  assert.deepEqual(await jobs(), before);
  return outcome;
}
