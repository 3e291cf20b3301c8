import { readFileSync } from 'node:fs';
import type { LocationInput } from '../../contract/job.ts';
import { attempt, systemError } from '../../contract/system-errors.ts';
import { formatCount } from '../../contract/words.ts';
import { replaceFile } from '../../files/own-file.ts';
import type { Position } from '../../json/positions.ts';
import { listPlaces, locationInput, meaningWithId } from '../../places/decide/locations.ts';
import type { PlaceMeaning } from '../../places/decide/place-meaning.ts';
import type { Places } from '../../places/place-names.ts';
import { groupBy } from '../../text/group-by.ts';
import type { Finding, SourcePosition } from '../check/finding.ts';
import { listDefaultsWarnings, readListings } from '../defaults/defaults.ts';
import type { Input } from '../read/bytes.ts';
import { findFormat } from '../read/formats.ts';
import type { Listing } from '../read/listing.ts';
import type { JobFiles } from '../read/paths.ts';
import { formatInputName, readInput } from '../read/read.ts';
import { hasLocations } from './place-problems.ts';

export interface UsedText {
  readonly text: string;
  readonly uses: readonly PlaceUse[];
  readonly meaning: PlaceMeaning;
}

export type PlaceUse = SourcePosition & { readonly file: string };

/** Returns location texts in order of first use, and unreadable files. Throws the errors of `readListings`. */
export async function readListingTexts(files: JobFiles, input: Input, places: Places) {
  const unread: Finding[] = [];
  const warnings = new Set<string>();
  const uses: [text: string, use: PlaceUse][] = [];
  for await (const { listing, finding } of readListings(files, input, 'places')) {
    for (const warning of listDefaultsWarnings(listing)) warnings.add(warning);
    if (listing === undefined) unread.push(finding);
    else uses.push(...listUses(listing));
  }
  return { items: toUsedTexts(uses, places), unread, warnings: [...warnings] };
}

function listUses({ value, file, locate }: Listing): [text: string, use: PlaceUse][] {
  if (!hasLocations(value)) return [];
  return value.locations.flatMap((text, index) => {
    const position = locate(['locations', index]);
    return typeof text !== 'string' || position.file ? [] : [[text, { ...position, file }] as const];
  });
}

/** Returns the location texts of a list with one text per line. `-` is stdin. Throws the errors of `readInput`. */
export async function readTextList(name: string, input: Input, places: Places): Promise<UsedText[]> {
  const lines = (await readInput(name, input)).split(/\r?\n/);
  const uses = lines.map((text, index): [string, PlaceUse] => {
    return [text.trim(), { file: formatInputName(name), line: index + 1, column: 1 }];
  });
  const named = uses.filter(([text]) => text !== '');
  return toUsedTexts(named, places);
}

function toUsedTexts(uses: readonly (readonly [text: string, use: PlaceUse])[], places: Places): UsedText[] {
  return Array.from(
    groupBy(uses, ([text]) => text),
    ([text, all]) => ({ text, uses: all.map(([, use]) => use), meaning: meaningWithId(text, places) }),
  );
}

const WRITABLE = new Set(['json', 'jsonc', 'ndjson', 'yaml', 'md']);

interface Edit {
  readonly use: PlaceUse;
  readonly text: string;
  readonly places: readonly LocationInput[];
}

/** Replaces place names in files with IDs, and returns the names it can't replace. Throws OUTPUT_UNWRITABLE and LINK_REFUSED. */
export function writePlaces(items: readonly UsedText[]) {
  const allEdits = items.flatMap(({ text, uses, meaning }): Edit[] => {
    const places = listPlaces(meaning)?.map(locationInput);
    return places ? uses.map((use) => ({ use, text, places })) : [];
  });
  const left: PlaceUse[] = [];
  let [written, files] = [0, 0];
  for (const [file, edits] of groupBy(allEdits, ({ use }) => use.file)) {
    if (file === 'stdin' || !WRITABLE.has(findFormat(file) ?? '')) {
      left.push(...edits.map(({ use }) => use));
      continue;
    }
    const changed = applyEdits(readFileSync(file, 'utf8'), edits);
    try {
      if (changed.count > 0) replaceFile(file, changed.text);
    } catch (cause) {
      const hint = `check its permissions and the disk space, then run the command again (${formatCount(files, 'file')} changed so far)`;
      throw systemError(cause, 'OUTPUT_UNWRITABLE', `can't write ${file}`, hint);
    }
    left.push(...changed.left);
    written += changed.count;
    if (changed.count > 0) files++;
  }
  return { written, files, left };
}

function applyEdits(source: string, edits: readonly Edit[]) {
  const ends = source.matchAll(/\r\n|\n|\r/g);
  const starts = [0, ...Array.from(ends, ({ index, 0: end }) => index + end.length)];
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const left: PlaceUse[] = [];
  const spans = edits.flatMap(({ use, text, places }) => {
    const start = toOffset(source, starts, use);
    const length = findWrittenLength(source.slice(start, start + 8 * text.length + 8), text);
    if (length === undefined) left.push(use);
    return length === undefined ? [] : [{ start, end: start + length, places }];
  });
  let [text, at] = ['', 0];
  for (const { start, end, places } of spans.sort((a, b) => a.start - b.start)) {
    // A YAML block list has one place per line. All other lists use commas.
    const [item] = /(?<![^\n\r])[^\n\r]*$/.exec(
      source.slice(starts.findLast((line) => line <= start) ?? 0, start),
    ) ?? [''];
    const between = /^\s*(?:- +)+$/.test(item) ? `${eol}${item.replace(/-(?=.*-)/g, ' ')}` : ', ';
    text += source.slice(at, start) + places.map(formatFlowMap).join(between);
    at = end;
  }
  return { text: text + source.slice(at), count: spans.length, left };
}

/** Returns the string index of a position. Columns count code points, but indexes count UTF-16 units. */
function toOffset(source: string, starts: readonly number[], { line, column }: Position): number {
  let offset = starts[line - 1] ?? source.length;
  for (let at = 1; at < column; at++) offset += (source.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

function findWrittenLength(source: string, text: string): number | undefined {
  const [double] = /^"(?:[^"\\\n]|\\.)*"/.exec(source) ?? [];
  if (double !== undefined) return attempt(() => JSON.parse(double)) === text ? double.length : undefined;
  const [single] = /^'(?:[^'\n]|'')*'/.exec(source) ?? [];
  if (single !== undefined)
    return single.slice(1, -1).replaceAll("''", "'") === text ? single.length : undefined;
  return source.startsWith(text) ? text.length : undefined;
}

/** Formats a place as JSON, which is also a valid YAML flow map. */
function formatFlowMap({ locationId, city, stateProvince, country }: LocationInput): string {
  const [name, region, state] = [city, stateProvince, country].map((text) => JSON.stringify(text));
  return `{ "locationId": ${locationId}, "city": ${name}, "stateProvince": ${region}, "country": ${state} }`;
}
