import type { Connection } from '../../cli/connection/connect.ts';
import type { Streams } from '../../cli/terminal/streams.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput, JobUpdate } from '../../contract/job.ts';
import { type Finding, sentence, toListingError } from '../../listings/check/finding.ts';
import { type Checking, checkListing } from '../../listings/check/findings.ts';
import { readListings } from '../../listings/defaults/defaults.ts';
import { buildFlagListing, type JobFlags, readFlagFields, withFlags } from '../../listings/flags.ts';
import { guessPlaces } from '../../listings/places/guess-places.ts';
import {
  createPlaceMemory,
  createUndecidedError,
  resolveTextPlaces,
  textLocations,
} from '../../listings/places/place-problems.ts';
import type { ReadOptions } from '../../listings/read/formats.ts';
import type { Listing } from '../../listings/read/listing.ts';
import { formatInputName } from '../../listings/read/read.ts';
import { confirmPlace, findLocation, locationInput } from '../../places/decide/locations.ts';

/** Flags override the file. Undefined if there is neither. */
export async function readListingInput(
  file: string | undefined,
  flags: JobFlags & ReadOptions,
  streams: Streams,
  takes: 'all' | 'places',
): Promise<Listing | undefined> {
  const fields = await readFlagFields(flags, streams);
  if (file !== undefined) return withFlags(await onlyListing(file, streams, takes, flags), fields);
  return Object.keys(fields).length === 0 ? undefined : buildFlagListing(fields);
}

async function onlyListing(file: string, streams: Streams, takes: 'all' | 'places', options: ReadOptions) {
  const files = { names: [file], named: [file], reading: options };
  let only: Listing | undefined;
  const faults: Finding[] = [];
  let count = 0;
  for await (const { listing, finding, others = [] } of readListings(files, streams, takes)) {
    if (finding?.level === 'error' && faults.length === 0) faults.push(finding, ...others);
    if (listing === undefined) continue;
    only ??= listing;
    count++;
  }
  const refused = toListingError(faults);
  if (refused !== undefined) throw refused;
  if (only !== undefined && count === 1) return only;
  throw new PartnerError('FILE_INVALID', {
    message: `expected one listing in ${formatInputName(file)}, got ${count}`,
    hint: 'pass a file with one listing. To create several jobs, use `partner jobs apply`',
  });
}

/** Checks a listing and resolves its places. Throws VALIDATION_FAILED with every error at once. */
export async function checkInput<T extends JobInput | JobUpdate>(
  given: Listing,
  connection: Connection,
  streams: Streams,
  checking: Pick<Checking, 'as' | 'draft' | 'isLive' | 'spending'>,
): Promise<{ readonly input: T; readonly warnings: readonly string[] }> {
  const { placeSource, places, limits } = connection;
  const bounded = { ...checking, places, limits, hasFieldFlags: true };
  const memory = createPlaceMemory(placeSource);
  const guessed = await guessPlaces(given, memory, limits.arrayEntries);
  const listing = await withPlacesPicked(guessed, bounded, connection, streams);
  const textPlace = await resolveTextPlaces(listing.value, memory, limits.arrayEntries);
  const { value, findings, omitted } = checkListing(listing, { ...bounded, textPlace });
  const refused = toListingError(findings, omitted.error, listing.file);
  if (refused !== undefined) throw refused;
  return { input: value as T, warnings: findings.map((finding) => `warning: ${sentence(finding)}`) };
}

/** Prompts for each ambiguous location, unless the listing has other errors that would make the answers useless. */
async function withPlacesPicked(
  listing: Listing,
  checking: Checking,
  connection: Connection,
  streams: Streams,
): Promise<Listing> {
  const { value } = listing;
  if (!streams.canAsk || textLocations(value).length === 0) return listing;
  const { findings } = checkListing(listing, { ...checking, places: undefined });
  // Includes invalid values that are only warnings here, because the bundled engine refuses them.
  const isRefused = ({ level, rule }: Finding) =>
    level === 'error' || (checking.places !== undefined && rule === 'invalid-value');
  if (findings.some(isRefused)) return listing;
  const locations: unknown[] = [];
  for (const location of (value as { locations: readonly unknown[] }).locations) {
    const isText = typeof location === 'string';
    locations.push(isText ? await resolvePlace(location, streams, connection) : location);
  }
  return { ...listing, value: { ...(value as object), locations } };
}

/** Returns the string itself if nothing matches or the user picks no place. */
async function resolvePlace(text: string, streams: Streams, { searchPlaces, placeSource }: Connection) {
  const choice = await findLocation(text, placeSource);
  if ('clear' in choice) return locationInput(choice.clear);
  const { candidates } = choice;
  if (candidates.length === 0) return text;
  const { pickPlaces } = await import('../../cli/places/place-picker.ts');
  const [picked] = await pickPlaces(streams, {
    search: async (q, signal) => (q === text.trim() ? candidates : searchPlaces(q, signal)),
    question: 'Which place do you mean?',
    flag: '--location',
    many: false,
    first: text,
  });
  // Candidates are bundled places, which the server may not have, so a picked one is confirmed.
  const isPicked = candidates.some(({ locationId }) => locationId === picked?.locationId);
  if (picked === undefined || !isPicked) return picked ?? text;
  const confirmed = await confirmPlace(picked, placeSource);
  if ('clear' in confirmed) return locationInput(confirmed.clear);
  throw await createUndecidedError(text, confirmed, placeSource);
}
