import { getPath } from 'hono/utils/url';
import { errorBody, errorRow, PartnerError } from '../../contract/errors.ts';
import { type PlainRequest, TextResponse } from '../../contract/http-messages.ts';
import { attempt, getErrorCode } from '../../contract/system-errors.ts';
import type { App, ReportBug, RequestOrigin, RouteResult } from '../parts.ts';

export interface Visit {
  readonly request: PlainRequest;
  readonly origin: RequestOrigin;
  readonly path: string;
  readonly id: string | undefined;
}

interface MountedRoute<Caller> extends Readonly<Record<'method' | 'path' | 'name', string>> {
  readonly handle: (visit: Visit, caller: Caller) => Promise<RouteResult>;
}

interface Mounted<Caller> {
  readonly routes: readonly MountedRoute<Caller>[];
  /** Runs before the route is looked up. Throws to reject the request. */
  readonly admit: (visit: Visit) => Promise<Caller>;
  readonly reportBug: ReportBug;
}

export function mount<Caller>({ routes, admit, reportBug }: Mounted<Caller>): App {
  const addresses = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    pattern: new RegExp(`^${path.replace('{id}', '([^/]+)')}$`),
    byMethod: new Map(routes.filter((route) => route.path === path).map((route) => [route.method, route])),
  }));
  const answer = async (request: PlainRequest, origin: RequestOrigin): Promise<TextResponse> => {
    const visit = { request, origin, path: getPath(request as Request), id: undefined };
    const caller = await admit(visit);
    for (const { pattern, byMethod } of addresses) {
      const match = pattern.exec(visit.path);
      if (match === null) continue;
      const { method } = request;
      const route = byMethod.get(method === 'HEAD' ? 'GET' : method);
      if (route === undefined) {
        const allow = [...byMethod.keys()].join(', ');
        const message = `${method} isn't supported here, only ${allow}`;
        return errorResponse(new PartnerError('METHOD_NOT_ALLOWED', { message }), { allow });
      }
      if (origin.facts !== undefined) origin.facts.operation = route.name;
      const { status, json, headers } = await route.handle({ ...visit, id: decodeSegment(match[1]) }, caller);
      const told = headers === undefined ? JSON_CONTENT : { ...JSON_CONTENT, ...headers };
      return new TextResponse(method === 'HEAD' ? '' : json, status, told);
    }
    throw new PartnerError('NOT_FOUND', { message: 'no such URL' });
  };
  return async (request, origin = {}) => {
    try {
      return await answer(request, origin);
    } catch (error) {
      // An error without an HTTP status is an engine fault, so its details aren't sent.
      if (error instanceof PartnerError && errorRow(error.code).status !== undefined)
        return errorResponse(error);
      if (origin.facts !== undefined) origin.facts.fault = error;
      reportBug(error, request, origin);
      return errorResponse(translateFault(error));
    }
  };
}

function decodeSegment(segment: string | undefined): string | undefined {
  if (segment === undefined || !segment.includes('%')) return segment;
  return attempt(() => decodeURIComponent(segment)) ?? segment;
}

const JSON_CONTENT = { 'content-type': 'application/json' } as const;

/** Returns the error for the client, without details such as local paths. */
export function translateFault(fault: unknown): PartnerError {
  return ['DATABASE_UNUSABLE', 'LINK_REFUSED'].includes(getErrorCode(fault))
    ? new PartnerError('UNAVAILABLE', { retryAfterSeconds: 5 })
    : new PartnerError('INTERNAL');
}

/** Builds an error response (docs/service.md, section 2.7). */
export function errorResponse(error: PartnerError, more: Readonly<Record<string, string>> = {}) {
  const { code, retryAfterSeconds } = error;
  const headers = {
    ...JSON_CONTENT,
    ...(code === 'INVALID_SERVICE_KEY' && { 'www-authenticate': 'Bearer' }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...more,
  };
  return new TextResponse(JSON.stringify(errorBody(error)), errorRow(code).status ?? 500, headers);
}
