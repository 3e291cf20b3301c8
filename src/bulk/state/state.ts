import * as z from 'zod';
import { CONTENT_FIELDS } from '../../contract/job.ts';

const Digests = z.partialRecord(z.enum(CONTENT_FIELDS), z.string());

/** A digest for each field of a listing's content, in the specification's order; only the fields there are. */
export type FieldDigests = Readonly<z.infer<typeof Digests>>;

/** What is remembered of a listing: the job it became and the content that was applied last. */
export const Entry = z.strictObject({
  job: z.int(),
  /** The `key` set in the listing itself. */
  key: z.string().optional(),
  opportunityId: z.string().optional(),
  applied: Digests,
  /** Where the server answered another content than was sent: its own digest of the field. */
  answered: Digests.optional(),
  /** Of an update that was about to be sent, and whose outcome is not known. */
  sent: Digests.optional(),
  /** A close was about to be sent, and its outcome is not known. */
  closing: z.literal(true).optional(),
  /** An earlier apply no longer found the listing. A new listing may reuse its path. */
  gone: z.literal(true).optional(),
  /** Digest of the listing that `--adopt` linked to the job. Used until a change to the listing is applied. */
  adopted: z.string().optional(),
});

export type StateEntry = Readonly<z.infer<typeof Entry>>;

/** The job of each listing, stored between runs so that `apply` updates it instead of creating another one. */
export interface BulkState {
  /** Random, stored when the state is first written. Idempotency keys are derived from it (decision 38). */
  readonly id?: string | undefined;
  readonly server: string;
  /** True once the server has shown that it honours `Idempotency-Key` (decision 27). */
  readonly honoursIdempotencyKeys: boolean;
  /** By `createName`: how many jobs it created that it no longer has. Their idempotency keys are used up. */
  readonly creates?: ReadonlyMap<string, number> | undefined;
  /** Jobs that aren't duplicates of a listing (`--ignore`). */
  readonly ignored?: readonly number[] | undefined;
  readonly listings: ReadonlyMap<string, StateEntry>;
}

/** Jobs that the state knows, whether a listing has them or they are ignored. */
export function knownJobs({ listings, ignored = [] }: BulkState): ReadonlySet<number> {
  return new Set([...Array.from(listings.values(), ({ job }) => job), ...ignored]);
}

/** A create that was about to be sent, and whose outcome is not known. */
export const SentCreate = z.object({
  key: z.string(),
  idempotencyKey: z.string(),
  at: z.int(),
  /** The body as it was to be sent, `publish` included. */
  body: z.record(z.string(), z.unknown()),
  /** The job that it takes the place of, where the listing has had one. */
  replaces: z.int().optional(),
  /** The `key` set in the listing itself. */
  name: z.string().optional(),
});

/** With the `keyDigest` of the run that wrote it down; undefined where an earlier release did. */
export type Intent = Readonly<z.infer<typeof SentCreate> & { keyDigest?: string | undefined }>;
