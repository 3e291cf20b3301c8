import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { JobInputSchema, JobSchema, JobUpdateSchema, LocationSuggestionSchema } from './job.ts';

type Repeatable =
  | 'always'
  /** Only under an `Idempotency-Key` that the server is known to honour (decision 27). */
  | 'with-key';

export interface Operation {
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly query: readonly string[];
  readonly body: z.ZodType | null;
  readonly answer: z.ZodType;
  /** A client takes any 2xx (decision 6). */
  readonly status: number;
  readonly errors: readonly ErrorCode[];
  readonly repeatable: Repeatable;
  /** Decisions 2 and 5. */
  readonly isExtension: boolean;
}

const JobPageSchema = z.object({ items: z.array(JobSchema), nextCursor: z.string().nullable() });
const PlacePageSchema = z.object({ items: z.array(LocationSuggestionSchema) });

const USUAL = {
  query: [],
  body: null,
  answer: JobSchema,
  status: 200,
  repeatable: 'always',
  isExtension: false,
} as const satisfies Partial<Operation>;

/** Section 4, one row an operation: it feeds the engine's routes, the client and the documentation. */
export const OPERATIONS = {
  createJob: {
    ...USUAL,
    summary: 'Create a job, and publish it at once with `publish: true`',
    method: 'POST',
    path: '/jobs',
    body: JobInputSchema,
    status: 201,
    errors: [
      'INVALID_SERVICE_KEY',
      'PAYMENT_METHOD_REQUIRED',
      'AGREEMENT_OUTDATED',
      'VALIDATION_FAILED',
      'IDEMPOTENCY_CONFLICT',
    ],
    repeatable: 'with-key',
  },
  updateJob: {
    ...USUAL,
    summary: 'Update a job: only the fields sent change',
    method: 'PATCH',
    path: '/jobs/{id}',
    body: JobUpdateSchema,
    errors: ['INVALID_SERVICE_KEY', 'NOT_FOUND', 'JOB_FROZEN', 'INVALID_TRANSITION', 'VALIDATION_FAILED'],
  },
  publishJob: {
    ...USUAL,
    summary: 'Publish a draft',
    method: 'POST',
    path: '/jobs/{id}/publish',
    errors: [
      'INVALID_SERVICE_KEY',
      'PAYMENT_METHOD_REQUIRED',
      'NOT_FOUND',
      'AGREEMENT_OUTDATED',
      'VALIDATION_FAILED',
      'INVALID_TRANSITION',
    ],
  },
  pauseJob: {
    ...USUAL,
    summary: 'Pause a live job',
    method: 'POST',
    path: '/jobs/{id}/pause',
    errors: ['INVALID_SERVICE_KEY', 'NOT_FOUND', 'INVALID_TRANSITION'],
    isExtension: true,
  },
  resumeJob: {
    ...USUAL,
    summary: 'Resume a paused job',
    method: 'POST',
    path: '/jobs/{id}/resume',
    errors: ['INVALID_SERVICE_KEY', 'NOT_FOUND', 'INVALID_TRANSITION'],
    isExtension: true,
  },
  closeJob: {
    ...USUAL,
    summary: 'Close a job for good',
    method: 'POST',
    path: '/jobs/{id}/close',
    errors: ['INVALID_SERVICE_KEY', 'NOT_FOUND', 'INVALID_TRANSITION'],
  },
  getJob: {
    ...USUAL,
    summary: 'Get a job',
    method: 'GET',
    path: '/jobs/{id}',
    errors: ['INVALID_SERVICE_KEY', 'NOT_FOUND'],
  },
  listJobs: {
    ...USUAL,
    summary: 'List the jobs of the company, newest first',
    method: 'GET',
    path: '/jobs',
    query: ['status', 'opportunityId', 'limit', 'cursor'],
    answer: JobPageSchema,
    errors: ['INVALID_SERVICE_KEY', 'VALIDATION_FAILED'],
    isExtension: true,
  },
  searchLocations: {
    ...USUAL,
    summary: 'Search the canonical places',
    method: 'GET',
    path: '/locations/search',
    query: ['q', 'limit', 'country'],
    answer: PlacePageSchema,
    errors: ['INVALID_SERVICE_KEY', 'VALIDATION_FAILED'],
  },
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
