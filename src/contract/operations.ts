import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { JobInputSchema, JobSchema, JobUpdateSchema, LocationSuggestionSchema } from './job.ts';
import {
  JOB_STATUSES,
  LIMITS,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  PLACE_LIMIT_DEFAULT,
  PLACE_LIMIT_MAX,
} from './values.ts';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly summary: string;
  readonly query: z.ZodObject | null;
  readonly body: z.ZodType | null;
  readonly answer: z.ZodType;
  /** Status that the engine returns on success. Clients accept any 2xx (decision 6). */
  readonly status: number;
  readonly errors: readonly ErrorCode[];
  /** `with-key` requires an `Idempotency-Key` that the server is known to honor (decision 27). */
  readonly repeatable: 'always' | 'with-key';
  readonly isExtension: boolean;
}

export const JobPageSchema = z.object({
  items: z.array(JobSchema),
  nextCursor: z.string().nullable().describe('The `cursor` of the next page (null on the last page)'),
});
export const PlacePageSchema = z.object({ items: z.array(LocationSuggestionSchema) });

const LIST_QUERY = z.object({
  status: z.enum(JOB_STATUSES).optional().describe('Only jobs with this status'),
  opportunityId: z.string().optional().describe('Only jobs for this opening'),
  limit: z.int().min(1).max(LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT).describe('Jobs per page'),
  cursor: z.string().optional().describe('The `nextCursor` of the previous page'),
});

const PLACE_QUERY = z.object({
  q: z
    .string()
    .min(1)
    .max(LIMITS.placeQueryCharacters)
    .describe(`Search text (at most ${LIMITS.placeQueryWords} words)`),
  limit: z
    .int()
    .min(1)
    .max(PLACE_LIMIT_MAX)
    .default(PLACE_LIMIT_DEFAULT)
    .describe('Maximum number of results'),
  country: z.string().optional().describe('Only places in this country (ISO 3166 alpha-2 code or name)'),
});

const USUAL = {
  query: null,
  body: null,
  answer: JobSchema,
  status: 200,
  repeatable: 'always',
  isExtension: false,
} as const satisfies Partial<Operation>;
const POST = { ...USUAL, method: 'POST' } as const;
const GET = { ...USUAL, method: 'GET' } as const;

/** A POST can have an `Idempotency-Key`, which may be malformed or already used (decision 27). */
const KEYED = ['VALIDATION_FAILED', 'IDEMPOTENCY_CONFLICT'] as const;
const MOVED = ['NOT_FOUND', 'INVALID_TRANSITION', ...KEYED] as const;
const GATES = ['AGREEMENT_OUTDATED', 'PAYMENT_METHOD_REQUIRED'] as const;

function describeMove(name: string, summary: string) {
  return { ...POST, path: `/jobs/{id}/${name}`, summary, errors: MOVED } as const;
}

/** Operations of section 4, which define the engine's routes, the client and the OpenAPI document. */
export const OPERATIONS = {
  createJob: {
    ...POST,
    path: '/jobs',
    summary: 'Create a job (a draft, or a live listing with `publish`)',
    body: JobInputSchema,
    status: 201,
    errors: [...KEYED, ...GATES, 'UNSUPPORTED_MEDIA_TYPE'],
    repeatable: 'with-key',
  },
  updateJob: {
    ...USUAL,
    method: 'PATCH',
    path: '/jobs/{id}',
    summary: 'Update the given fields of a job',
    body: JobUpdateSchema,
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'JOB_FROZEN', 'VALIDATION_FAILED', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  publishJob: { ...describeMove('publish', 'Publish a draft for 30 days'), errors: [...MOVED, ...GATES] },
  pauseJob: { ...describeMove('pause', 'Pause an active listing'), isExtension: true },
  resumeJob: { ...describeMove('resume', 'Resume a paused listing'), isExtension: true },
  closeJob: describeMove('close', 'Close an active or paused listing permanently'),
  getJob: { ...GET, path: '/jobs/{id}', summary: 'Get a job', errors: ['NOT_FOUND'] },
  listJobs: {
    ...GET,
    path: '/jobs',
    summary: "List the company's jobs, newest first",
    query: LIST_QUERY,
    answer: JobPageSchema,
    errors: ['VALIDATION_FAILED'],
    isExtension: true,
  },
  searchLocations: {
    ...GET,
    path: '/locations/search',
    summary: 'Search the places that a job can use',
    query: PLACE_QUERY,
    answer: PlacePageSchema,
    errors: ['VALIDATION_FAILED'],
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
