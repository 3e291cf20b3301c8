import { openOnce } from '../contract/open-once.ts';
import { createApp } from './app.ts';
import type { App, EngineParts } from './parts.ts';

/** What stands beside the partner API, under the path it begins with; loaded with its first request. */
const SIDES: readonly { readonly path: string; readonly load: (parts: EngineParts) => Promise<App> }[] = [
  {
    path: '/dashboard',
    load: async (parts) => (await import('./dashboard/app.ts')).createDashboardApp(parts),
  },
  {
    path: '/candidate',
    load: async (parts) => (await import('./applications/app.ts')).createCandidateApp(parts),
  },
];

/** Everything that the engine answers: the partner API, and what stands beside it. */
export function createSite(parts: EngineParts): App {
  const api = createApp(parts);
  const sides = SIDES.map(({ path, load }) => ({ path, app: openOnce(() => load(parts)) }));
  return async (request, arrival) => {
    const { pathname } = new URL(request.url);
    const side = sides.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
    if (side === undefined) return api(request);
    const app = await side.app.open();
    return app(request, arrival);
  };
}
