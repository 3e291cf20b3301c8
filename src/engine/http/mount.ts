import type { Context, Env, Hono } from 'hono';
import { errorBody, errorRow, PartnerError } from '../../contract/errors.ts';
import { codeOf } from '../../contract/system-errors.ts';
import { textResponse } from '../../contract/whole-text.ts';
import type { Answer, App, ReportBug } from '../parts.ts';

/** One address of an application, as hono writes paths. Throws a PartnerError for everything the caller is told. */
export interface MountedRoute<E extends Env> {
  readonly method: string;
  readonly path: string;
  readonly handle: (context: Context<E>) => Promise<Answer>;
}

/**
 * Puts routes under an application: what they do not offer is refused, and every error answered in the envelope of
 * section 2.7. The application answers every request and never rejects.
 */
export function mount<E extends Env>(
  app: Hono<E>,
  routes: readonly MountedRoute<E>[],
  reportBug: ReportBug,
): App {
  for (const { method, path, handle } of routes) {
    app.on(method, path, async (context) => respond(await handle(context)));
  }
  for (const [path, methods] of methodsByPath(routes)) {
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
      reportBug,
    ),
  );
  app.onError((error, context) => respondError(context, error, reportBug));
  return async (request, arrival = {}) => app.fetch(request, arrival);
}

const JSON_CONTENT = { 'Content-Type': 'application/json' } as const;

function respond({ status, json, headers }: Answer): Response {
  return textResponse(json, { status, headers: { ...JSON_CONTENT, ...headers } });
}

/** What a caller is told of a fault of ours, which may name paths of this machine: a database may work again later. */
export function answeredFault(fault: unknown): PartnerError {
  return ['DATABASE_UNUSABLE', 'LINK_REFUSED'].includes(codeOf(fault))
    ? new PartnerError('UNAVAILABLE', { retryAfterSeconds: 5 })
    : new PartnerError('INTERNAL');
}

/** Section 2.7. What is no error of the table, or has no status there, is a fault of ours, answered without detail. */
function respondError<E extends Env>(context: Context<E>, error: unknown, reportBug: ReportBug): Response {
  const isOurs = error instanceof PartnerError && errorRow(error.code).status !== null;
  if (!isOurs) reportBug(error, context.req.raw);
  const told = isOurs ? error : answeredFault(error);
  if (told.code === 'INVALID_SERVICE_KEY') context.header('WWW-Authenticate', 'Bearer');
  if (told.retryAfterSeconds !== undefined) context.header('Retry-After', String(told.retryAfterSeconds));
  const status = errorRow(told.code).status ?? 500;
  // Over the context, which holds the headers that the refusal has set.
  return context.body(JSON.stringify(errorBody(told)), status as 500, JSON_CONTENT);
}

function methodsByPath(routes: readonly { method: string; path: string }[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  return methods;
}
