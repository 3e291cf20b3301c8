import { LIVE_JOB } from '../commands/jobs/sample-job.ts';

export interface RawRequest {
  readonly method: string;
  /** Starts with `/v1`. */
  readonly path: string;
  readonly cursor: string | null;
}

const STATUS_AFTER: Readonly<Record<string, string>> = {
  publish: 'ACTIVE',
  pause: 'PAUSED',
  resume: 'ACTIVE',
  close: 'CLOSED',
};

export const PLACE = LIVE_JOB.locations[0] as (typeof LIVE_JOB.locations)[number];

let made = 1000;

/** Stateless: every job exists, and each create makes another one. */
export function goodAnswer({ method, path }: Omit<RawRequest, 'cursor'>): string {
  if (path.endsWith('/locations/search')) return JSON.stringify({ items: [PLACE] });
  if (method === 'GET' && path.endsWith('/jobs'))
    return JSON.stringify({ items: [LIVE_JOB], nextCursor: null });
  if (method === 'POST' && path.endsWith('/jobs')) return JSON.stringify({ ...LIVE_JOB, id: made++ });
  const [, id = '12', verb = ''] = /\/jobs\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
  return JSON.stringify({ ...LIVE_JOB, id: Number(id), status: STATUS_AFTER[verb] ?? LIVE_JOB.status });
}
