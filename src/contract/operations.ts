import * as z from 'zod';
import { JobInputSchema, JobSchema, JobUpdateSchema, LocationSuggestionSchema } from './job.ts';

type Repeatable =
  | 'always'
  /** Only under an `Idempotency-Key` that the server is known to honour (decision 27). */
  | 'with-key';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body: z.ZodType | null;
  readonly answer: z.ZodType;
  /** A client takes any 2xx (decision 6). */
  readonly status: number;
  readonly repeatable: Repeatable;
  /** Decisions 2 and 5. */
  readonly isExtension: boolean;
}

const JobPageSchema = z.object({ items: z.array(JobSchema), nextCursor: z.string().nullable() });
const PlacePageSchema = z.object({ items: z.array(LocationSuggestionSchema) });

const USUAL = {
  body: null,
  answer: JobSchema,
  status: 200,
  repeatable: 'always',
  isExtension: false,
} as const satisfies Partial<Operation>;
const POST = { ...USUAL, method: 'POST' } as const;
const GET = { ...USUAL, method: 'GET' } as const;

/** Section 4, one row an operation: it feeds the engine's routes and the client. */
export const OPERATIONS = {
  createJob: { ...POST, path: '/jobs', body: JobInputSchema, status: 201, repeatable: 'with-key' },
  updateJob: { ...USUAL, method: 'PATCH', path: '/jobs/{id}', body: JobUpdateSchema },
  publishJob: { ...POST, path: '/jobs/{id}/publish' },
  pauseJob: { ...POST, path: '/jobs/{id}/pause', isExtension: true },
  resumeJob: { ...POST, path: '/jobs/{id}/resume', isExtension: true },
  closeJob: { ...POST, path: '/jobs/{id}/close' },
  getJob: { ...GET, path: '/jobs/{id}' },
  listJobs: { ...GET, path: '/jobs', answer: JobPageSchema, isExtension: true },
  searchLocations: { ...GET, path: '/locations/search', answer: PlacePageSchema },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export const TRANSITIONS = {
  publish: 'publishJob',
  pause: 'pauseJob',
  resume: 'resumeJob',
  close: 'closeJob',
} as const satisfies Record<string, OperationName>;

export type Transition = keyof typeof TRANSITIONS;

export function operationPath(name: OperationName, id?: number): string {
  return OPERATIONS[name].path.replace('{id}', id === undefined ? '' : String(id));
}
