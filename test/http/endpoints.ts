import type { Answer, Partner } from './partner.ts';

/** Servers never assign this ID, so requests for it change nothing. */
export const NO_SUCH_JOB = 987_654_321;

export interface Endpoint {
  readonly name: string;
  readonly method: string;
  readonly path: (id: number | string) => string;
  readonly body?: unknown;
  readonly isExtension?: true;
}

export const JOB_ENDPOINTS: readonly Endpoint[] = [
  { name: 'Update', method: 'PATCH', path: (id) => `/jobs/${id}`, body: { title: 'Another title' } },
  { name: 'Publish', method: 'POST', path: (id) => `/jobs/${id}/publish` },
  { name: 'Close', method: 'POST', path: (id) => `/jobs/${id}/close` },
  { name: 'Get', method: 'GET', path: (id) => `/jobs/${id}` },
  { name: 'Pause', method: 'POST', path: (id) => `/jobs/${id}/pause`, isExtension: true },
  { name: 'Resume', method: 'POST', path: (id) => `/jobs/${id}/resume`, isExtension: true },
];

export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'createJob', method: 'POST', path: () => '/jobs', body: { title: 'A title' } },
  ...JOB_ENDPOINTS,
  { name: 'Search locations', method: 'GET', path: () => '/locations/search?q=boston' },
  { name: 'List jobs', method: 'GET', path: () => '/jobs', isExtension: true },
];

export function callEndpoint(
  partner: Partner,
  endpoint: Endpoint,
  id: number | string,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  return partner.call(endpoint.method, endpoint.path(id), endpoint.body, headers);
}
