import type { Context, Env, Hono } from 'hono';
import { errorBody, errorRow, PartnerError } from '../../contract/errors.ts';
import { codeOf } from '../../contract/system-errors.ts';
import { textResponse } from '../../contract/whole-text.ts';
import type { App, ReportBug, RouteResult } from '../parts.ts';

interface MountedRoute<E extends Env> {
  readonly method: string;
  readonly path: string;
  readonly handle: (context: Context<E>) => Promise<RouteResult>;
}

/** Adds routes to an application: any other method or address is refused, every error is answered as section 2.7 says. */
export function mount<E extends Env>(
  app: Hono<E>,
  routes: readonly MountedRoute<E>[],
  reportBug: ReportBug,
): App {
  for (const { method, path, handle } of routes) {
    app.on(method, path, async (context) => respond(await handle(context)));
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    app.all(path, (context) => {
      context.header('Allow', methods.join(', '));
      throw new PartnerError('METHOD_NOT_ALLOWED', {
        message: `${context.req.method} is not offered here, only ${methods.join(', ')}`,
      });
    });
  }
  app.notFound((context) => {
    const error = new PartnerError('NOT_FOUND', { message: 'the service has no such address' });
    return respondError(context, error, reportBug);
  });
  app.onError((error, context) => respondError(context, error, reportBug));
  return async (request, origin = {}) => app.fetch(request, origin);
}

const JSON_CONTENT = { 'Content-Type': 'application/json' } as const;

function respond({ status, json, headers }: RouteResult): Response {
  return textResponse(json, { status, headers: { ...JSON_CONTENT, ...headers } });
}

/** What a caller is told of a fault of ours, whose own message may name paths of this machine. */
export function answeredFault(fault: unknown): PartnerError {
  return ['DATABASE_UNUSABLE', 'LINK_REFUSED'].includes(codeOf(fault))
    ? new PartnerError('UNAVAILABLE', { retryAfterSeconds: 5 })
    : new PartnerError('INTERNAL');
}

/** Section 2.7. An error without an HTTP status is a fault of ours, and answered without detail. */
function respondError<E extends Env>(context: Context<E>, error: unknown, reportBug: ReportBug): Response {
  const isOurs = error instanceof PartnerError && errorRow(error.code).status !== undefined;
  if (!isOurs) reportBug(error, context.req.raw);
  const told = isOurs ? error : answeredFault(error);
  if (told.code === 'INVALID_SERVICE_KEY') context.header('WWW-Authenticate', 'Bearer');
  if (told.retryAfterSeconds !== undefined) context.header('Retry-After', String(told.retryAfterSeconds));
  const status = errorRow(told.code).status ?? 500;
  // Over the context, which holds the headers that the refusal has set.
  return context.body(JSON.stringify(errorBody(told)), status as 500, JSON_CONTENT);
}
