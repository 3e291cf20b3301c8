import type { JobContent } from '../../contract/job.ts';

/** A digest for each field of a listing's content, in the specification's order; only the fields there are. */
export type FieldDigests = Readonly<Partial<Record<keyof JobContent, string>>>;

/** What is remembered of a listing: the job it became and the content that was applied last. */
export interface StateEntry {
  readonly job: number;
  readonly opportunityId?: string | undefined;
  /** Of each field that the listing gave when it was applied last. */
  readonly applied: FieldDigests;
  /** Where the server answered another content than was sent: its own digest of the field. */
  readonly answered?: FieldDigests | undefined;
  /** Of each field of an update that was about to be sent, and whose outcome is not known. */
  readonly sent?: FieldDigests | undefined;
  /** True where a close was about to be sent, and its outcome is not known. */
  readonly closing?: boolean | undefined;
}

/** What `apply` remembers between runs: which listing became which job (cli.md). */
export interface BulkState {
  readonly server: string;
  /** True once the server has shown that it honours `Idempotency-Key` (decision 27). */
  readonly honoursIdempotencyKeys: boolean;
  readonly listings: ReadonlyMap<string, StateEntry>;
}

/** A create that was about to be sent, and whose outcome is not known. */
export interface Intent {
  readonly key: string;
  readonly idempotencyKey: string;
  readonly at: number;
  /** The body as it was to be sent, `publish` included. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The job that it takes the place of, where the listing has had one. */
  readonly replaces?: number | undefined;
  /** The `keyDigest` of the run that wrote it down; undefined where an earlier release did. */
  readonly keyDigest?: string | undefined;
}
