import type { UnknownRoute } from './lies.ts';
import type { Variation } from './server.ts';

const HTML = '<!doctype html><title>Log in</title><h1>Log in</h1>';
const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'INVALID_SERVICE_KEY',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  422: 'VALIDATION_FAILED',
  500: 'INTERNAL',
};

function refused(status: number): UnknownRoute {
  return {
    status,
    body: JSON.stringify({ error: { code: CODES[status], message: `refused with ${status}` } }),
  };
}

const bare = (status: number): UnknownRoute => ({ status, body: `${status}\n`, type: 'text/plain' });

const ok = (body: unknown): UnknownRoute => ({ status: 200, body: JSON.stringify(body) });

/** Same instant in another time zone: `2026-03-02T12:00:00+02:00`. */
function withOffset(time: Date): string {
  return `${new Date(time.getTime() + 7_200_000).toISOString().slice(0, 19)}+02:00`;
}

const ROUTES: Readonly<Record<string, UnknownRoute>> = {
  ...Object.fromEntries(Object.keys(CODES).map((status) => [`${status} error`, refused(Number(status))])),
  ...Object.fromEntries(Object.keys(CODES).map((status) => [`${status} bare`, bare(Number(status))])),
  '200 []': ok([]),
  '200 {jobs}': ok({ jobs: [] }),
  '200 {data}': ok({ data: [] }),
  '302 elsewhere': { status: 302, body: '', location: 'https://login.example.com/' },
  '200 HTML': { status: 200, body: HTML, type: 'text/html' },
};

const offering = (variation: Variation): Variation => ({ offersPause: true, ...variation });

/** Each column of the table is one choice that the specification leaves open. */
export const COLUMNS: Readonly<Record<string, Variation>> = {
  ...Object.fromEntries(Object.entries(ROUTES).map(([name, unknownRoute]) => [name, { unknownRoute }])),
  'nulls left out': offering({ nulls: 'left-out' }),
  'nulls everywhere': offering({ nulls: 'everywhere' }),
  'empty 200': offering({ success: { status: 200, isEmpty: true } }),
  'full 202': offering({ success: { status: 202 } }),
  'empty 202': offering({ success: { status: 202, isEmpty: true } }),
  'empty 204': offering({ success: { status: 204, isEmpty: true } }),
  'no fractions': offering({ date: (time) => `${time.toISOString().slice(0, 19)}Z` }),
  'offset dates': offering({ date: withOffset }),
  'text/plain': offering({ type: 'text/plain; charset=utf-8' }),
  'transition 400': offering({ invalidTransitionStatus: 400 }),
  'transition 422': offering({ invalidTransitionStatus: 422 }),
};
