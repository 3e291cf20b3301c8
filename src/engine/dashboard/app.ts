import { type Context, Hono, type HonoRequest } from 'hono';
import { getCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { isLoopback } from '../../contract/uri.ts';
import { cameToLoopback, listHostnames } from '../http/request-origin.ts';
import type { App, EngineParts, RequestOrigin } from '../parts.ts';
import { BILLING_ROUTES } from './billing/billing.ts';
import { APPLICATION_ROUTES } from './job/application.ts';
import { JOB_ROUTES } from './job/job.ts';
import { JOBS_ROUTES } from './jobs.ts';
import { KEY_ROUTES } from './keys.ts';
import { icon, layout, stylesheet } from './layout.ts';
import {
  addSecurityHeaders,
  type DashboardRoute,
  downloadResponse,
  htmlResponse,
  type PageContext,
  ROOT,
} from './page.ts';
import { problemPage, REFUSALS, Refused } from './problem-page.ts';
import * as sessions from './sessions.ts';
import { TERMS_ROUTES } from './terms.ts';

export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...JOBS_ROUTES,
  ...JOB_ROUTES,
  ...APPLICATION_ROUTES,
  ...BILLING_ROUTES,
  ...TERMS_ROUTES,
  ...KEY_ROUTES,
];

type Env = { Bindings: RequestOrigin; Variables: { session: string; page: PageContext } };

export function createDashboardApp(parts: EngineParts, routes = DASHBOARD_ROUTES): App {
  const app = new Hono<Env>({ strict: false }).basePath(ROOT);
  app.use(async ({ req, env }, next) => {
    // A foreign page can point its host name at this machine (DNS rebinding).
    const isForeign = cameToLoopback(env) && !listHostnames(req.raw).every(isLoopback);
    if (isForeign) throw new Refused(REFUSALS.foreignHost);
    parts.store.assertInPlace();
    await next();
  });
  app.get('/style.css', ({ req }) => stylesheet(req.query('v')));
  app.get('/icon.svg', icon);
  app.get('/sign-in', (context) => handleSignIn(context, parts));
  app.use(async (context, next) => {
    await requireSession(context, parts);
    await next();
  });
  app.post('/sign-out', (context) => handleSignOut(context, parts));
  for (const { method, path, handle } of routes) {
    app.on(method, path, async (context) => {
      const page = await pageContext(context);
      context.set('page', page);
      const reply = await handle(page, parts);
      if ('download' in reply) return downloadResponse(reply.download);
      if ('redirect' in reply) return context.redirect(reply.redirect, 303);
      const { title, body, status } = reply.page;
      return htmlResponse(await layout({ title, body, context: page }), status);
    });
  }
  const renderProblem = (error: unknown, context: Context<Env>) =>
    problemPage(error, (fault) => parts.reportBug(fault, context.req.raw, context.env), context.get('page'));
  app.notFound((context) => renderProblem(new Refused(REFUSALS.noSuchPage), context));
  app.onError((error, context) => renderProblem(error, context));
  return async (request, origin = {}) => addSecurityHeaders(await app.fetch(request as Request, origin));
}

const AHEAD_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

function isViewed({ raw }: HonoRequest): boolean {
  const ahead = AHEAD_HEADERS.map((name) => raw.headers.get(name) ?? '').join();
  return raw.method !== 'HEAD' && !/prefetch|prerender|preview/i.test(ahead);
}

async function handleSignIn(context: Context<Env>, { store, machineClock }: EngineParts): Promise<Response> {
  const { req } = context;
  if (req.raw.method === 'HEAD') return new Response();
  if (!isViewed(req)) throw new Refused(REFUSALS.fetchedAhead);
  const session = await sessions.signIn(store, req.query('token') ?? '', machineClock());
  if (session === undefined) throw new Refused(REFUSALS.deadLink);
  context.header('Set-Cookie', cookie(req.url, session, sessions.SESSION_SECONDS));
  return context.redirect(ROOT, 303);
}

async function handleSignOut(context: Context<Env>, { store }: EngineParts): Promise<Response> {
  await sessions.receiveForm(context.req.raw, context.get('page').csrf);
  await sessions.signOut(store, context.get('session'));
  const title = 'You are signed out';
  const body = html`<h1>${title}</h1>
<p>To sign in again, run <code>partner dashboard</code> for a new link.</p>`;
  return htmlResponse(await layout({ title, body }), 200, { 'Set-Cookie': cookie(context.req.url, '', 0) });
}

/** Includes the port. Browsers share cookies across ports, so two local engines would sign each other's users out. */
function cookieName(url: string): string {
  return `partner_session_${new URL(url).port || '80'}`;
}

function cookie(url: string, value: string, maxAgeSeconds: number): string {
  const secure = url.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(url)}=${value}; Path=${ROOT}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

async function requireSession(context: Context<Env>, { store, clock, machineClock }: EngineParts) {
  const { req } = context;
  const session = getCookie(context, cookieName(req.url));
  const company = session && (await sessions.findSessionCompany(store, session, machineClock()));
  if (!session || !company) throw new Refused(REFUSALS.signedOut);
  context.set('session', session);
  context.set('page', {
    company,
    csrf: sessions.deriveCsrfToken(session),
    url: new URL(req.url),
    params: {},
    form: new URLSearchParams(),
    now: clock(),
    isViewed: isViewed(req),
  });
}

async function pageContext(context: Context<Env>): Promise<PageContext> {
  const page = context.get('page');
  const { raw } = context.req;
  const form = raw.method === 'POST' ? await sessions.receiveForm(raw, page.csrf) : page.form;
  return { ...page, params: context.req.param(), form };
}
