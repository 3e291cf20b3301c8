import { Hono } from 'hono';
import { mount } from '../http/mount.ts';
import type { EngineParts } from '../parts.ts';
import { applyToJob } from './routes/apply.ts';
import { getOpening } from './routes/get-opening.ts';
import { listOpenings } from './routes/list-openings.ts';
import type { CandidateRoute } from './routes/route.ts';
import { sendFile } from './routes/send-file.ts';

/** Beside the partner API, with a version of its own. */
const CANDIDATE_PREFIX = '/candidate/v1';

const ROUTES: readonly { readonly method: string; readonly path: string; readonly route: CandidateRoute }[] =
  [
    { method: 'GET', path: '/jobs', route: listOpenings },
    { method: 'GET', path: '/jobs/:id', route: getOpening },
    { method: 'POST', path: '/files', route: sendFile },
    { method: 'POST', path: '/jobs/:id/applications', route: applyToJob },
  ];

/** The candidate side of the engine: anybody may look for jobs and apply, without a key. */
export function createCandidateApp(parts: EngineParts): (request: Request) => Promise<Response> {
  const routes = ROUTES.map(({ method, path, route }) => ({
    method,
    path: CANDIDATE_PREFIX + path,
    handle: async ({ req }: { req: { raw: Request; param(name: string): string | undefined } }) =>
      route({ request: req.raw, id: req.param('id'), query: new URL(req.raw.url).searchParams }, parts),
  }));
  return mount(new Hono(), routes, parts.reportBug);
}
