import { getPath } from 'hono/utils/url';
import { errorBody, errorRow, PartnerError } from '../../contract/errors.ts';
import { codeOf } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { textResponse } from '../../contract/whole-text.ts';
import type { App, ReportBug, RequestOrigin, RouteResult } from '../parts.ts';

/** A request on its way to its route. */
export interface Visit {
  readonly request: Request;
  readonly origin: RequestOrigin;
  /** Decoded, without the query. */
  readonly path: string;
  /** What is at `{id}` in the route's path. */
  readonly id: string | undefined;
}

interface MountedRoute<Caller> {
  readonly method: string;
  /** With `{id}` for a segment that may be any. */
  readonly path: string;
  /** What the log and the metrics call it. */
  readonly name: string;
  readonly handle: (visit: Visit, caller: Caller) => Promise<RouteResult>;
}

interface Mounted<Caller> {
  readonly routes: readonly MountedRoute<Caller>[];
  /** Lets a request in, or throws; before its address is looked up. */
  readonly admit: (visit: Visit) => Promise<Caller>;
  readonly reportBug: ReportBug;
}

/** An application of these routes: any other method or address is refused, every error is answered as section 2.7 says. */
export function mount<Caller>({ routes, admit, reportBug }: Mounted<Caller>): App {
  const addresses = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    pattern: new RegExp(`^${path.replace('{id}', '([^/]+)')}$`),
    byMethod: new Map(routes.filter((route) => route.path === path).map((route) => [route.method, route])),
  }));
  const answer = async (request: Request, origin: RequestOrigin): Promise<Response> => {
    const visit = { request, origin, path: getPath(request), id: undefined };
    const caller = await admit(visit);
    for (const { pattern, byMethod } of addresses) {
      const match = pattern.exec(visit.path);
      if (match === null) continue;
      const { method } = request;
      const route = byMethod.get(method === 'HEAD' ? 'GET' : method);
      if (route === undefined) return notAllowed(method, [...byMethod.keys()].join(', '));
      if (origin.facts !== undefined) origin.facts.operation = route.name;
      const { status, json, headers } = await route.handle({ ...visit, id: decoded(match[1]) }, caller);
      const told = headers === undefined ? JSON_CONTENT : { ...JSON_CONTENT, ...headers };
      return textResponse(method === 'HEAD' ? '' : json, { status, headers: told });
    }
    throw new PartnerError('NOT_FOUND', { message: 'the service has no such address' });
  };
  return async (request, origin = {}) => {
    try {
      return await answer(request, origin);
    } catch (error) {
      return refusal(error, (fault) => {
        if (origin.facts !== undefined) origin.facts.fault = fault;
        reportBug(fault, request, origin);
      });
    }
  };
}

function decoded(segment: string | undefined): string | undefined {
  if (segment === undefined || !segment.includes('%')) return segment;
  return tried(() => decodeURIComponent(segment)) ?? segment;
}

const JSON_CONTENT = { 'content-type': 'application/json' } as const;

function notAllowed(method: string, allowed: string): Response {
  const message = `${method} is not offered here, only ${allowed}`;
  return errorResponse(new PartnerError('METHOD_NOT_ALLOWED', { message }), { allow: allowed });
}

/** What a caller is told of a fault of ours, whose own message may name paths of this machine. */
export function answeredFault(fault: unknown): PartnerError {
  return ['DATABASE_UNUSABLE', 'LINK_REFUSED'].includes(codeOf(fault))
    ? new PartnerError('UNAVAILABLE', { retryAfterSeconds: 5 })
    : new PartnerError('INTERNAL');
}

/** Section 2.7. An error without an HTTP status is a fault of ours, and answered without detail. */
function refusal(error: unknown, reportFault: (fault: unknown) => void): Response {
  const isOurs = error instanceof PartnerError && errorRow(error.code).status !== undefined;
  if (!isOurs) reportFault(error);
  return errorResponse(isOurs ? error : answeredFault(error));
}

/** An error in the envelope of section 2.7. */
export function errorResponse(error: PartnerError, more: Readonly<Record<string, string>> = {}): Response {
  const { code, retryAfterSeconds } = error;
  const headers = {
    ...JSON_CONTENT,
    ...(code === 'INVALID_SERVICE_KEY' && { 'www-authenticate': 'Bearer' }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...more,
  };
  return textResponse(JSON.stringify(errorBody(error)), { status: errorRow(code).status ?? 500, headers });
}
