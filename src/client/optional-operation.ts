import type { PartnerError } from '../contract/errors.ts';
import { OPERATIONS, type OperationName, operationPath } from '../contract/operations.ts';
import { type Call, type ClientContext, type Outcome, perform } from './call.ts';
import { notOffered } from './decode.ts';
import type { Deadline } from './exchange.ts';
import { NOT_IMPLEMENTED } from './retry.ts';

/** These statuses depend on the account, the job or the time, not on the route. */
const NOT_OF_THE_ROUTE: readonly number[] = [402, 408, 409, 429];

type Address = Pick<Call<unknown>, 'operation' | 'id'>;

export function assertOffered(context: ClientContext, address: Address): void {
  if (context.learned.isOffered(address.operation) === false) throw learnNotOffered(context, address);
}

export function learnNotOffered(context: ClientContext, { operation, id }: Address, status?: number) {
  context.learned.learnRefused(operation, status);
  return notOffered(operation, `${context.baseUrl}${operationPath(operation, id)}`, status);
}

export function mayMeanNotOffered({ learned }: ClientContext, operation: OperationName, error: PartnerError) {
  const { status, code } = error;
  if (!OPERATIONS[operation].isExtension || status === undefined) return false;
  if (code === 'INVALID_TRANSITION' || NOT_OF_THE_ROUTE.includes(status)) return false;
  if ((status >= 400 && status < 500) || status === NOT_IMPLEMENTED) return true;
  // A 5xx proves nothing about a transition, which may have succeeded anyway or may succeed on a retry.
  return !learned.isOffered(operation) && (status < 400 || operation === 'listJobs');
}

/** Tries calls until a query isn't refused. Success of `required` proves that the key is valid. */
export async function performOptional<T>(
  context: ClientContext,
  [call, ...simpler]: readonly [Call<T>, ...Call<T>[]],
  required: Call<unknown>,
  deadline: Deadline,
): Promise<T> {
  assertOffered(context, call);
  let outcome = await perform(context, call, deadline);
  for (const next of simpler) {
    if (!isQueryRefused(outcome.error)) break;
    outcome = await perform(context, next, deadline);
  }
  // A cursor means that the server has already returned a page, so it supports lists.
  const { error } = outcome;
  if (error !== undefined && call.query?.cursor !== undefined) throw error;
  if (error !== undefined && error.code !== 'OPERATION_NOT_OFFERED' && !context.learned.isProven) {
    if (!mayMeanNotOffered(context, call.operation, error)) throw error;
    if (!isKeyTaken(await perform(context, required, deadline))) throw error;
    context.learned.isProven = true;
    // The key is valid now, so this retries an unexpected response, which may be a temporary failure.
    if ((error.status ?? 0) < 400) outcome = await perform(context, call, deadline);
  }
  if (outcome.error === undefined) {
    context.learned.learnOffered(call.operation);
    return outcome.value;
  }
  throw mayMeanNotOffered(context, call.operation, outcome.error)
    ? learnNotOffered(context, call, outcome.error.status)
    : outcome.error;
}

/** True if the server may have refused a query parameter, because the specification defines none. */
export function isQueryRefused(answer: { readonly status?: number | undefined } | undefined): boolean {
  return answer?.status === 400 || answer?.status === 422;
}

/** A server that rejects the content of a request has accepted the key. */
function isKeyTaken({ error }: Outcome<unknown>): boolean {
  if (error === undefined || error.code === 'VALIDATION_FAILED') return true;
  return error.status === 400 && error.serverCode !== undefined;
}
