import { fileURLToPath } from 'node:url';
import type { App } from '../src/engine/parts.ts';

export const PLACES_PATH = fileURLToPath(new URL('../dist/places.bin', import.meta.url));

/** Sends a request to an engine in this process. Returns the body. Throws if the status isn't `status`. */
export async function call(
  fetch: App,
  method: string,
  path: string,
  { headers = {}, body, status = 200 }: { headers?: HeadersInit; body?: unknown; status?: number } = {},
): Promise<string> {
  const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(new Request(`http://engine.test${path}`, { method, headers, ...init }));
  const text = await response.text();
  if (response.status !== status) throw new Error(`${method} ${path}: ${response.status}: ${text}`);
  return text;
}

// biome-ignore lint/suspicious/noExplicitAny: callers know the fields of the response
export async function post(fetch: App, path: string, body: unknown, key = ''): Promise<any> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return JSON.parse(await call(fetch, 'POST', path, { headers, body, status: 201 }));
}
