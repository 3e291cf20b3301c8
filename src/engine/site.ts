import { createApp } from './app.ts';
import type { EngineParts } from './parts.ts';

type App = (request: Request) => Promise<Response>;

/** What stands beside the partner API, under the path it begins with; loaded with its first request. */
const SIDES: readonly { readonly path: string; readonly load: (parts: EngineParts) => Promise<App> }[] = [];

/** Everything that the engine answers: the partner API, and what stands beside it. */
export function createSite(parts: EngineParts): App {
  const api = createApp(parts);
  const loaded = new Map<string, Promise<App>>();
  return async (request) => {
    const { pathname } = new URL(request.url);
    const side = SIDES.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
    if (side === undefined) return api(request);
    const app = loaded.get(side.path) ?? side.load(parts);
    loaded.set(side.path, app);
    return (await app)(request);
  };
}
