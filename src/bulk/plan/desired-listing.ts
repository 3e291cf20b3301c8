/** One listing of the wanted set, without its content: a gigabyte of listings must fit into memory as these. */
export interface DesiredListing {
  /** Relative to the state's base directory, with `/`; `stdin` for `-`. One string for all listings of a file. */
  readonly path: string;
  /** The file as findings and annotations name it, as the user gave it. One string for all of a file. */
  readonly file: string;
  /** Which listing of the file, from 0. */
  readonly index: number;
  /** Where the listing begins in the file, from 1. */
  readonly line: number;
  /** Of the content, places resolved, without `publish`: `wholeDigest` of its fields. */
  readonly digest: string;
  readonly opportunityId: string | undefined;
  /** True where the listing is to be live: `publish: true` in it, or `--publish`. */
  readonly publish: boolean;
  /** Of the content, to tell a job that nobody remembers; only of a listing that is not at its key just as it was applied. */
  readonly fingerprint?: string;
}
