import type { Connection } from '../../cli/connection/connect.ts';
import type { Streams } from '../../cli/terminal/streams.ts';
import { PartnerError } from '../../contract/errors.ts';
import type { JobInput, JobUpdate } from '../../contract/job.ts';
import type { Finding } from '../../listings/check/finding.ts';
import { refusal, sentence } from '../../listings/check/finding.ts';
import { type Checking, checkListing } from '../../listings/check/findings.ts';
import { createDefaults, withDefaults } from '../../listings/defaults/defaults.ts';
import { fieldsOfFlags, type JobFlags, listingOfFlags, withFlags } from '../../listings/flags.ts';
import { confirmPlace, findLocation, locationInput } from '../../listings/places/locations.ts';
import { resolveLocations, textLocations, undecided } from '../../listings/places/place-problems.ts';
import type { ReadOptions } from '../../listings/read/formats.ts';
import type { Listing } from '../../listings/read/listing.ts';
import { entriesOf, shownName } from '../../listings/read/read.ts';
import { readOptions } from './file-flags.ts';

/** The one listing of a file, of flags, which win over it, or of both; undefined where neither is given. */
export async function givenListing(
  file: string | undefined,
  flags: JobFlags & ReadOptions,
  streams: Streams,
  takes: 'all' | 'places',
): Promise<Listing | undefined> {
  const fields = await fieldsOfFlags(flags, streams);
  if (file !== undefined)
    return withFlags(await onlyListing(file, streams, takes, readOptions(flags)), fields);
  return Object.keys(fields).length === 0 ? undefined : listingOfFlags(fields);
}

async function onlyListing(file: string, streams: Streams, takes: 'all' | 'places', options: ReadOptions) {
  const defaults = await createDefaults(streams, [file])(file);
  let only: Listing | undefined;
  const faults: Finding[] = [];
  let count = 0;
  for await (const entry of entriesOf(file, streams, options)) {
    const {
      listing,
      finding,
      others = [],
    } = defaults === undefined ? entry : withDefaults(entry, defaults, takes);
    if (finding?.level === 'error' && faults.length === 0) faults.push(finding, ...others);
    if (listing === undefined) continue;
    only ??= listing;
    count++;
  }
  const refused = refusal(faults);
  if (refused !== undefined) throw refused;
  if (only !== undefined && count === 1) return only;
  throw new PartnerError('FILE_INVALID', {
    message: `${shownName(file)} holds ${count} listings, and one is wanted`,
    hint: 'give a file with one listing; `partner jobs apply` makes a job of each of many',
  });
}

export function asksToPublish({ value }: Listing): boolean {
  return (value as JobInput | null)?.publish === true;
}

/** A listing checked, its places resolved, and its warnings. Throws VALIDATION_FAILED with every fault at once. */
export async function checkedInput<T extends JobInput | JobUpdate>(
  given: Listing,
  connection: Connection,
  streams: Streams,
  checking: Pick<Checking, 'as' | 'draft' | 'isLive' | 'spending'>,
): Promise<{ readonly input: T; readonly warnings: readonly string[] }> {
  const { placeSource, places, limits } = connection;
  const bounded = { ...checking, places, limits, hasFieldFlags: true };
  const listing = await withPlacesPicked(given, bounded, connection, streams);
  const { value, findings, omitted } = checkListing(listing, bounded);
  const refused = refusal(findings, omitted.error, listing.file);
  if (refused !== undefined) throw refused;
  const input = places ? value : await resolveLocations(listing.value, placeSource);
  return { input: input as T, warnings: findings.map((finding) => `warning: ${sentence(finding)}`) };
}

/**
 * The listing with each location picked by its author whose text may mean several places. As it was where nobody
 * can be asked, or where something else is wrong with it: an answer would be given for nothing.
 */
async function withPlacesPicked(
  listing: Listing,
  checking: Checking,
  connection: Connection,
  streams: Streams,
): Promise<Listing> {
  const { value } = listing;
  if (!streams.canAsk || textLocations(value).length === 0) return listing;
  const { findings } = checkListing(listing, { ...checking, places: undefined });
  // Without places an invalid value may be a warning only, and the bundled engine refuses it.
  const isRefused = ({ level, rule }: Finding) =>
    level === 'error' || (checking.places !== undefined && rule === 'invalid-value');
  if (findings.some(isRefused)) return listing;
  const locations: unknown[] = [];
  for (const location of (value as { locations: readonly unknown[] }).locations) {
    locations.push(typeof location === 'string' ? await placeOf(location, streams, connection) : location);
  }
  return { ...listing, value: { ...(value as object), locations } };
}

/** The place that a string means, otherwise the place picked for it, otherwise the string itself. */
async function placeOf(text: string, streams: Streams, { searchPlaces, placeSource }: Connection) {
  const choice = await findLocation(text, placeSource);
  if ('clear' in choice) return locationInput(choice.clear);
  const { candidates } = choice;
  if (candidates.length === 0) return text;
  const { pickPlaces } = await import('../../cli/places/place-picker.ts');
  const [picked] = await pickPlaces(streams, {
    search: async (q, signal) => (q === text.trim() ? candidates : searchPlaces(q, signal)),
    question: 'Which place is meant?',
    flag: '--location',
    many: false,
    first: text,
  });
  // The candidates are bundled places, which the server may not have.
  const isPicked = candidates.some(({ locationId }) => locationId === picked?.locationId);
  if (picked === undefined || !isPicked) return picked ?? text;
  const confirmed = await confirmPlace(picked, placeSource);
  if ('clear' in confirmed) return locationInput(confirmed.clear);
  throw await undecided(text, confirmed, placeSource);
}
