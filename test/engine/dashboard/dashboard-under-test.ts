import assert from 'node:assert/strict';
import { createDashboardApp } from '../../../src/engine/dashboard/app.ts';
import type { DashboardRoute } from '../../../src/engine/dashboard/page.ts';
import { issueLink } from '../../../src/engine/dashboard/sessions.ts';
import type { App, EngineParts } from '../../../src/engine/parts.ts';
import { type EngineUnderTest, engineOn } from '../engine-under-test.ts';
import { SOME_PLACES } from '../some-places.ts';
import { type DatabaseKind, databaseFor, type TestDatabase } from '../store/dialects.ts';

export const ORIGIN = 'http://127.0.0.1:4650';

/** Headers that a browser adds to a form from the dashboard. */
const FROM_OUR_PAGE = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };

export type Browser = ReturnType<typeof browserOn>;

export interface DashboardUnderTest {
  engine: EngineUnderTest;
  app: App;
  machineNow: number;
  link(companyId?: string): Promise<string>;
  browser(): Browser;
  signedIn(companyId?: string): Promise<Browser>;
}

/** Fails if the engine reports an internal error. */
export function dashboardFor(
  tests: 'each test' | 'all tests',
  { routes, kind }: { routes?: readonly DashboardRoute[]; kind?: DatabaseKind } = {},
): DashboardUnderTest {
  const dashboard = {} as DashboardUnderTest;
  const database = databaseFor(tests, kind);
  const [open, close] = tests === 'each test' ? [beforeEach, afterEach] : [before, after];
  open(async () => void (await dashboardOn(database(), routes, dashboard)));
  close(async () => {
    await dashboard.engine.store.close();
    assert.deepEqual(dashboard.engine.bugs, []);
  });
  return dashboard;
}

/** Only the test moves the clocks of the engine and the machine. */
export async function dashboardOn(
  database: TestDatabase,
  routes?: readonly DashboardRoute[],
  dashboard = {} as DashboardUnderTest,
): Promise<DashboardUnderTest> {
  const engine = await engineOn(database);
  const parts: EngineParts = {
    store: engine.store,
    keyUses: engine.keyUses,
    files: engine.files,
    places: SOME_PLACES,
    clock: () => engine.now,
    machineClock: () => dashboard.machineNow,
    reportBug: (error) => engine.bugs.push(error),
  };
  const app = createDashboardApp(parts, routes);
  return Object.assign(dashboard, {
    engine,
    app,
    machineNow: Date.parse('2026-11-21T12:00:00.000Z'),
    link: async (companyId = engine.companyId) =>
      (await issueLink(engine.store, companyId, dashboard.machineNow)).path,
    browser: () => browserOn(app),
    async signedIn(companyId?: string) {
      const browser = browserOn(app);
      await browser.get(await dashboard.link(companyId));
      return browser;
    },
  });
}

function browserOn(app: App) {
  const ask = async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    if (browser.cookie !== '' && !headers.has('cookie')) headers.set('cookie', browser.cookie);
    const response = await app(new Request(`${ORIGIN}${path}`, { ...init, headers, redirect: 'manual' }));
    const [kept] = response.headers.getSetCookie();
    if (kept !== undefined) browser.cookie = kept.split(';')[0] ?? '';
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const browser = {
    cookie: '',
    get: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    head: (path: string) => ask(path, { method: 'HEAD' }),
    /** Includes the session's CSRF token unless the fields have one. */
    async post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
      const csrf = fields.csrf ?? (await browser.csrf());
      const body = new URLSearchParams({ ...fields, csrf }).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return ask(path, { method: 'POST', body, headers: { ...type, ...FROM_OUR_PAGE, ...headers } });
    },
    async csrf(): Promise<string> {
      const { text } = await ask('/dashboard', {});
      return /name="csrf" value="([\w-]+)"/.exec(text)?.[1] ?? '';
    },
  };
  return browser;
}
