import type { Answer, Partner } from './partner.ts';

/** An id that no server has given: what is done to it does nothing. */
export const NO_SUCH_JOB = 987_654_321;

export interface Endpoint {
  /** As section 4 names it. */
  readonly name: string;
  readonly method: string;
  readonly path: (id: number | string) => string;
  readonly body?: unknown;
  readonly isExtension?: true;
}

/** The operations on one job, and how each is called. */
export const JOB_ENDPOINTS: readonly Endpoint[] = [
  { name: 'Update', method: 'PATCH', path: (id) => `/jobs/${id}`, body: { title: 'Another title' } },
  { name: 'Publish', method: 'POST', path: (id) => `/jobs/${id}/publish` },
  { name: 'Close', method: 'POST', path: (id) => `/jobs/${id}/close` },
  { name: 'Get', method: 'GET', path: (id) => `/jobs/${id}` },
  { name: 'Pause', method: 'POST', path: (id) => `/jobs/${id}/pause`, isExtension: true },
  { name: 'Resume', method: 'POST', path: (id) => `/jobs/${id}/resume`, isExtension: true },
];

/** Every operation of section 4 and the decided ones (decisions 2 and 5). */
export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'createJob', method: 'POST', path: () => '/jobs', body: { title: 'A title' } },
  ...JOB_ENDPOINTS,
  { name: 'Search locations', method: 'GET', path: () => '/locations/search?q=boston' },
  { name: 'List jobs', method: 'GET', path: () => '/jobs', isExtension: true },
];

/** Calls an endpoint for a job. */
export function callEndpoint(
  partner: Partner,
  endpoint: Endpoint,
  id: number | string,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  return partner.call(endpoint.method, endpoint.path(id), endpoint.body, headers);
}
