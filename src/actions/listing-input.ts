import type { Connection } from '../connection.ts';
import { type ErrorDetails, PartnerError } from '../contract/errors.ts';
import type { JobInput, JobUpdate } from '../contract/job.ts';
import type { Finding } from '../intake/finding.ts';
import { checkListing } from '../intake/findings.ts';
import { fieldsOfFlags, type JobFlags, listingOfFlags, withFlags } from '../intake/flags.ts';
import { resolveLocations } from '../intake/locations.ts';
import { entriesOf, type Listing } from '../intake/read.ts';
import { refusal } from '../intake/refusal.ts';
import type { Streams } from '../ui/streams.ts';

/**
 * The one listing of a file, of flags or of both, where a flag wins over the file. Throws INPUT_REQUIRED with
 * `required` where neither is given, and what reading and understanding them throws.
 */
export async function listingGiven(
  file: string | undefined,
  flags: JobFlags,
  streams: Streams,
  required: ErrorDetails,
): Promise<Listing> {
  const fields = await fieldsOfFlags(flags, streams.stdin);
  if (file !== undefined) return withFlags(await onlyListing(file, streams), fields);
  if (Object.keys(fields).length === 0) throw new PartnerError('INPUT_REQUIRED', required);
  return listingOfFlags(fields);
}

async function onlyListing(file: string, streams: Streams): Promise<Listing> {
  let [only, fault]: [Listing | undefined, Finding | undefined] = [undefined, undefined];
  let count = 0;
  for await (const { listing, finding } of entriesOf(file, streams.stdin)) {
    if (finding?.level === 'error') fault ??= finding;
    if (listing === undefined) continue;
    only ??= listing;
    count++;
  }
  const refused = fault && refusal([fault]);
  if (refused !== undefined) throw refused;
  if (only !== undefined && count === 1) return only;
  throw new PartnerError('FILE_INVALID', {
    message: `${file} holds ${count} listings, and one is wanted`,
    hint: 'give a file with one JobInput; `partner jobs validate` takes many',
  });
}

export interface CheckedInput<T> {
  readonly input: T;
  /** What a draft may hold, but publishing would refuse. */
  readonly warnings: readonly Finding[];
}

/** A listing checked as a create, its places resolved. Throws VALIDATION_FAILED with every fault at once. */
export async function checkedCreate(
  listing: Listing,
  publish: boolean,
  connection: Connection,
): Promise<CheckedInput<JobInput>> {
  const isLive = publish || (listing.value as JobInput | null)?.publish === true;
  return checked<JobInput>(listing, { as: 'create', draft: !isLive }, connection);
}

/** The fields of an update, checked, their places resolved. */
export async function checkedUpdate(
  listing: Listing,
  connection: Connection,
): Promise<CheckedInput<JobUpdate>> {
  return checked<JobUpdate>(listing, { as: 'update', draft: true }, connection);
}

async function checked<T>(
  listing: Listing,
  checking: { as: 'create' | 'update'; draft: boolean },
  { searchPlaces: search, places, limits }: Connection,
): Promise<CheckedInput<T>> {
  const { value, findings } = checkListing(listing, { ...checking, places, limits });
  const refused = refusal(findings);
  if (refused !== undefined) throw refused;
  if (places !== undefined) return { input: value as T, warnings: findings };
  return { input: (await resolveLocations(listing.value, { search })) as T, warnings: findings };
}
