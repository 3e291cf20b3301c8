import { type Context, Hono } from 'hono';
import { mount } from '../http/mount.ts';
import { createLimiter, limitRate } from '../http/rate-limit.ts';
import { senderOf } from '../http/request-origin.ts';
import type { App, EngineParts, RateLimit, RequestOrigin } from '../parts.ts';
import { refuseForeignPages } from './foreign-pages.ts';
import { applyToJob } from './routes/apply.ts';
import { getOpening } from './routes/get-opening.ts';
import { listOpenings } from './routes/list-openings.ts';
import type { CandidateRoute } from './routes/route.ts';
import { sendFile } from './routes/send-file.ts';

/** Beside the partner API, with a version of its own. */
const CANDIDATE_PREFIX = '/candidate/v1';

/** Generous: a person's browser sends a few requests at a time. */
const RATE_LIMIT: RateLimit = { perSecond: 100 };

type Env = { Bindings: RequestOrigin };

const ROUTES: readonly { readonly method: string; readonly path: string; readonly route: CandidateRoute }[] =
  [
    { method: 'GET', path: '/jobs', route: listOpenings },
    { method: 'GET', path: '/jobs/:id', route: getOpening },
    { method: 'POST', path: '/files', route: sendFile },
    { method: 'POST', path: '/jobs/:id/applications', route: applyToJob },
  ];

/** The candidate side of the engine: anybody may read the surfaced jobs and apply, without a key. */
export function createCandidateApp(parts: EngineParts): App {
  const app = new Hono<Env>();
  const limiter = createLimiter(parts.candidateRateLimit ?? RATE_LIMIT, parts.machineClock);
  app.use(async ({ req, env }, next) => {
    // Requests of a page that is refused do not count for the person who has it open.
    refuseForeignPages(req.raw, env);
    const sender = senderOf(env);
    if (sender !== undefined) limitRate(limiter, sender);
    parts.store.assertInPlace();
    await next();
  });
  const routes = ROUTES.map(({ method, path, route }) => ({
    method,
    path: CANDIDATE_PREFIX + path,
    handle: async ({ req, env }: Context<Env>) =>
      route(
        {
          request: req.raw,
          sender: senderOf(env),
          id: req.param('id'),
          query: new URL(req.raw.url).searchParams,
        },
        parts,
      ),
  }));
  return mount(app, routes, parts.reportBug);
}
