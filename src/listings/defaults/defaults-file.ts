import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { normalise } from '../../contract/place-names.ts';
import type { FieldPath } from '../../contract/problems.ts';
import { tried } from '../../contract/tried.ts';
import { isObject } from '../../contract/values.ts';
import { contentFault, type Fault, type SourcePosition } from '../check/finding.ts';
import { type Input, statOrNone } from '../read/bytes.ts';
import type { ListingDocument } from '../read/listing.ts';
import { DEFAULTS_FILES } from '../read/paths.ts';
import { entriesOf } from '../read/read.ts';

/** What a `_defaults.yaml` says, each fault and position with the file's name. */
export interface DefaultsFile {
  /** As findings and plans name it. */
  readonly file: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What this company means by a text, by the normalised text. */
  readonly places: ReadonlyMap<string, MeantPlace>;
  readonly flaws: readonly Fault[];
  locate(path: FieldPath, part?: 'value' | 'name'): SourcePosition;
}

export interface MeantPlace {
  /** A place as text, or its id as text. */
  readonly text: string;
  readonly file: string;
  locate(): SourcePosition;
}

/** The defaults in a directory; undefined where there are none, a fault where they cannot be read as such. */
export async function readDefaults(
  directory: string,
  shownAs: (path: string) => string,
  input: Input,
): Promise<DefaultsFile | { readonly fault: Fault } | undefined> {
  const [path, other] = DEFAULTS_FILES.map((name) => join(directory, name)).filter(isThere);
  if (path === undefined) return undefined;
  const file = shownAs(path);
  const unfit = (message: string, hint: string) => ({ fault: { ...contentFault(message, hint), file } });
  if (other !== undefined)
    return unfit(`${basename(other)} stands beside it`, 'put what both say into one of them');
  // A pipe would be waited for.
  if (statOrNone(path)?.isFile() === false)
    return unfit('it is not a file', 'move it elsewhere, or rename it');
  const documents: ListingDocument[] = [];
  for await (const { listing, finding } of entriesOf(file, input)) {
    if (finding !== undefined) return { fault: finding };
    if (listing.key !== undefined) return unfit('a key is for one listing', 'write it in each listing');
    documents.push({ flawsOmitted: 0, ...listing });
  }
  const [only] = documents;
  if (only === undefined || documents.length > 1 || !isObject(only.value))
    return unfit(
      'it holds no fields that listings share',
      'write them as one object: { "salaryPeriod": "ANNUAL", "places": { "HQ": "Austin, TX" } }',
    );
  return defaultsOf(file, only.value, only);
}

/** True also of a link that leads nowhere: to read it gives the reason. */
function isThere(path: string): boolean {
  return tried(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

function defaultsOf(
  file: string,
  { places: given, ...fields }: Record<string, unknown>,
  document: ListingDocument,
): DefaultsFile {
  const locate: DefaultsFile['locate'] = (path, part) => ({ ...document.locate(path, part), file });
  const flaws: Fault[] = document.flaws.map((flaw) => ({ ...flaw, file }));
  const places = new Map<string, MeantPlace>();
  const isWrong = (path: FieldPath, message: string) =>
    flaws.push({ rule: 'invalid-value', path, message, hint: A_PLACE, ...locate(path), file });
  if (given !== undefined && given !== null && !isObject(given))
    isWrong(['places'], 'must be a map of texts to places');
  for (const [name, place] of isObject(given) ? Object.entries(given) : []) {
    const path = ['places', name];
    const isId = Number.isSafeInteger(place) && Number(place) > 0;
    if (!isId && (typeof place !== 'string' || place.trim() === ''))
      isWrong(path, 'must be the id of a place, or its name as text');
    else places.set(normalise(name), { text: String(place), file, locate: () => locate(path) });
  }
  return { file, fields, places, flaws, locate };
}

const A_PLACE = 'as in "places": { "HQ": 4671654, "Office": "Austin, TX" }';
