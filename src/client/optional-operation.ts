import type { PartnerError } from '../contract/errors.ts';
import { OPERATIONS, type OperationName, operationPath } from '../contract/operations.ts';
import { type Call, type ClientContext, type Outcome, perform } from './call.ts';
import { notOffered } from './decode.ts';
import type { Deadline } from './exchange.ts';

/** About the account, the job's state or the moment, whatever the route. */
const NOT_OF_THE_ROUTE: readonly number[] = [402, 408, 409, 429];
const NOT_IMPLEMENTED = 501;

type Address = Pick<Call<unknown>, 'operation' | 'id'>;

export function assertOffered(context: ClientContext, { operation, id }: Address): void {
  if (context.learned.isOffered(operation) !== false) return;
  context.learned.learnRefused(operation);
  throw notOffered(operation, `${context.baseUrl}${operationPath(operation, id)}`);
}

export function learnNotOffered(
  context: ClientContext,
  { operation, id }: Address,
  status?: number,
): PartnerError {
  context.learned.learnRefused(operation, status);
  return notOffered(operation, `${context.baseUrl}${operationPath(operation, id)}`, status);
}

export function mayMeanNotOffered(
  { learned }: ClientContext,
  operation: OperationName,
  error: PartnerError,
): boolean {
  const { status, code } = error;
  if (!OPERATIONS[operation].isExtension || status === undefined) return false;
  if (code === 'INVALID_TRANSITION' || NOT_OF_THE_ROUTE.includes(status)) return false;
  if ((status >= 400 && status < 500) || status === NOT_IMPLEMENTED) return true;
  // A transition that failed on the server may have been carried out, and may work the next time.
  return !learned.isOffered(operation) && (status < 400 || operation === 'listJobs');
}

/** Tries the calls until a query isn't refused. Every server supports `required`: if it works, the key isn't refused. */
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
  // A server that has answered a page offers the list: a later failure is about something else.
  if (outcome.error !== undefined && call.query?.cursor !== undefined) throw outcome.error;
  if (
    outcome.error !== undefined &&
    outcome.error.code !== 'OPERATION_NOT_OFFERED' &&
    !context.learned.isProven
  ) {
    const { error } = outcome;
    if (!mayMeanNotOffered(context, call.operation, error)) throw error;
    if (!isKeyTaken(await perform(context, required, deadline))) throw error;
    context.learned.prove();
    // An odd answer is asked for again only where the API is known to answer: it may be a passing fault.
    if ((error.status ?? 0) < 400) outcome = await perform(context, call, deadline);
  }
  if (outcome.error === undefined) {
    context.learned.learnOffered(call.operation);
    return outcome.value;
  }
  const { error } = outcome;
  throw mayMeanNotOffered(context, call.operation, error)
    ? learnNotOffered(context, call, error.status)
    : error;
}

/** Whether a server dislikes a query: one that the specification doesn't define may be refused. */
export function isQueryRefused(answer: { readonly status?: number | undefined } | undefined): boolean {
  return answer?.status === 400 || answer?.status === 422;
}

/** A server that dislikes the content of a call has let it in. */
function isKeyTaken({ error }: Outcome<unknown>): boolean {
  if (error === undefined || error.code === 'VALIDATION_FAILED') return true;
  return error.status === 400 && error.serverCode !== undefined;
}
