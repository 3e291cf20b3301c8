import { resolvedListing } from '../listings.ts';
import type { Attack } from './attacks.ts';

const PATHS = [
  '/v1/jobs',
  '/v1/jobs/1',
  '/v1/jobs/1/publish',
  '/v1/jobs/1/pause',
  '/v1/locations/search',
  '/v1/nothing',
];
const OPEN_PATHS = [
  '/candidate/v1/jobs',
  '/candidate/v1/jobs/1',
  '/candidate/v1/jobs/1/applications',
  '/candidate/v1/files',
  '/dashboard',
  '/dashboard/sign-in',
];
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'];
const PARAMETERS = [
  'q',
  'limit',
  'cursor',
  'status',
  'country',
  'location',
  'opportunityId',
  'name',
  'token',
];
const PIECES = [
  'a',
  '0',
  '-1',
  '1e999',
  'null',
  '\0',
  '\u200b',
  '東京',
  'Bostn',
  ',',
  '"',
  '{',
  '[',
  ']',
  '}',
  '\\u',
  '%',
  '%ff',
  '../',
  '👩‍👧',
  'true',
  ' ',
  '\n',
  '9'.repeat(40),
];

/** Generates random requests with invalid listings, queries and headers. The same seed generates the same requests. */
export function* fuzzed(seed: number, isKeyed: boolean): Generator<Attack> {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const of = (values: readonly string[]): string => values[draw(values.length)] ?? '';
  const odd = (): string =>
    Array.from({ length: draw(6) + 1 }, () => of(PIECES).repeat(draw(20) === 0 ? draw(300) : 1)).join('');
  const spoilt = (): string => {
    let text = JSON.stringify(resolvedListing(draw(50)));
    for (let times = draw(4); times >= 0; times--) {
      const at = draw(text.length);
      text = text.slice(0, at) + odd() + text.slice(at + draw(30));
    }
    return text;
  };
  const misread = (): string => {
    const listing = { ...resolvedListing(draw(50)) } as Record<string, unknown>;
    for (const name of Object.keys(listing)) {
      if (draw(6) === 0)
        listing[name] = [
          odd(),
          draw(1e6) - 5e5,
          null,
          [odd()],
          { [odd()]: odd() },
          Array(draw(80)).fill(listing[name]),
        ][draw(6)];
      if (draw(30) === 0) listing[odd()] = odd();
    }
    return JSON.stringify(listing);
  };
  for (;;) {
    const method = of(METHODS);
    const query = Array.from(
      { length: draw(3) },
      () => `${of(PARAMETERS)}=${encodeURIComponent(odd())}`,
    ).join('&');
    const path = `${of(isKeyed ? PATHS : [...PATHS, ...OPEN_PATHS])}?${query}`;
    const body = draw(2) === 0 ? spoilt() : misread();
    const headers = { 'content-type': draw(10) === 0 ? 'text/plain' : 'application/json' };
    yield method === 'GET' ? { method, path } : { method, path, headers, body };
  }
}
