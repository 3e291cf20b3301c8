import assert from 'node:assert/strict';
import type { Job } from '../../src/contract/job.ts';
import { isObject } from '../../src/contract/values.ts';
import { type Answer, itemsIn, type Partner } from './partner.ts';

export interface RefusalBody {
  readonly code: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Checks an error against 2.7. `fields` must list exactly the given names, and none if it isn't a validation error. */
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

/**
 * Rules for other servers: the specification sets no status for INVALID_TRANSITION and no field names within
 * arrays.
 */
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

export function assertInvalid(answer: Answer, ...fields: string[]): RefusalBody {
  return assertRefused(answer, 422, 'VALIDATION_FAILED', fields);
}

/** Decision 7. */
export function assertWrongState(answer: Answer): RefusalBody {
  return assertRefused(answer, 409, 'INVALID_TRANSITION');
}

/** Sends the input on create and on update; both must be refused for exactly these fields. */
export async function assertInputRefused(
  partner: Partner,
  { id }: Pick<Job, 'id'>,
  input: object,
  ...fields: string[]
): Promise<RefusalBody> {
  assertInvalid(await partner.create(input), ...fields);
  // Adds an allowed change, because a refused update must not be applied in part.
  return assertInvalid(await partner.update(id, { opportunityId: 'OPP-refused', ...input }), ...fields);
}

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

/** Checks that the attempt creates or changes no job of the company. */
export async function storingNothing<T>(partner: Partner, attempt: () => Promise<T>): Promise<T> {
  const { remote } = partner.subject;
  if (remote && !remote.offers.list) return attempt();
  // On other servers, somebody else may create jobs meanwhile.
  const jobs = async () =>
    itemsIn(await partner.list('?limit=100')).filter(
      ({ opportunityId }) => remote === undefined || opportunityId === remote.mark.opportunityId,
    );
  const before = await jobs();
  const outcome = await attempt();
  assert.deepEqual(await jobs(), before);
  return outcome;
}
