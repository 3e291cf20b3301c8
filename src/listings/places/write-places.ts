import { readFileSync } from 'node:fs';
import { groupBy } from '../../contract/group-by.ts';
import type { LocationInput } from '../../contract/job.ts';
import type { Position } from '../../contract/json/positions.ts';
import { systemError } from '../../contract/system-errors.ts';
import { tried } from '../../contract/tried.ts';
import { counted } from '../../contract/words.ts';
import { replaceFile } from '../../files/own-file.ts';
import { formatOf } from '../read/formats.ts';
import { locationInput } from './locations.ts';
import type { PlaceMeaning } from './place-meaning.ts';
import type { PlaceUse, UsedText } from './place-uses.ts';

/** Files whose texts can be changed where they stand. */
const WRITABLE = new Set(['json', 'jsonc', 'ndjson', 'yaml', 'md']);

/** The places that a text becomes; undefined where it is anything else, or not only places. */
export function placesToWrite(meaning: PlaceMeaning): LocationInput[] | undefined {
  if (meaning.kind === 'place') return [locationInput(meaning.place)];
  if (meaning.kind !== 'several') return undefined;
  const lists = meaning.parts.map((part) => placesToWrite(part.meaning));
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

interface Edit {
  readonly use: PlaceUse;
  readonly text: string;
  readonly places: readonly LocationInput[];
}

/**
 * Replaces resolved place names with IDs, atomically per file. Returns the uses that aren't changed.
 * Throws OUTPUT_UNWRITABLE and LINK_REFUSED.
 */
export function writePlaces(items: readonly UsedText[]): {
  written: number;
  files: number;
  left: PlaceUse[];
} {
  const allEdits = items.flatMap(({ text, uses, meaning }): Edit[] => {
    const places = placesToWrite(meaning);
    return places ? uses.map((use) => ({ use, text, places })) : [];
  });
  const left: PlaceUse[] = [];
  let [written, files] = [0, 0];
  for (const [file, edits] of groupBy(allEdits, ({ use }) => use.file)) {
    const isWritable = file !== 'stdin' && WRITABLE.has(formatOf(file) ?? '');
    const changed = isWritable ? edited(readFileSync(file, 'utf8'), edits) : undefined;
    try {
      if (changed && changed.count > 0) replaceFile(file, changed.text);
    } catch (cause) {
      const hint = `check its permissions and the disk, then run it again (${counted(files, 'file')} changed so far)`;
      throw systemError(cause, 'OUTPUT_UNWRITABLE', `${file} cannot be written`, hint);
    }
    left.push(...(changed ? changed.left : edits.map(({ use }) => use)));
    written += changed?.count ?? 0;
    files += changed && changed.count > 0 ? 1 : 0;
  }
  return { written, files, left };
}

/** The text with all else as it is, byte for byte. */
function edited(source: string, edits: readonly Edit[]): { text: string; count: number; left: PlaceUse[] } {
  const ends = source.matchAll(/\r\n|\n|\r/g);
  const starts = [0, ...Array.from(ends, ({ index, 0: end }) => index + end.length)];
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const left: PlaceUse[] = [];
  const spans = edits.flatMap(({ use, text, places }) => {
    const start = offsetOf(source, starts, use);
    const length = writtenLength(source.slice(start, start + 8 * text.length + 8), text);
    if (length === undefined) left.push(use);
    return length === undefined ? [] : [{ start, end: start + length, places }];
  });
  let [text, at] = ['', 0];
  for (const { start, end, places } of spans.sort((a, b) => a.start - b.start)) {
    // A block list of YAML has a place on each line; every other list has commas.
    const [item] = /(?<![^\n\r])[^\n\r]*$/.exec(
      source.slice(starts.findLast((line) => line <= start) ?? 0, start),
    ) ?? [''];
    const between = /^\s*(?:- +)+$/.test(item) ? `${eol}${item.replace(/-(?=.*-)/g, ' ')}` : ', ';
    text += source.slice(at, start) + places.map(flowMap).join(between);
    at = end;
  }
  return { text: text + source.slice(at), count: spans.length, left };
}

/** Columns are counted in code points. */
function offsetOf(source: string, starts: readonly number[], { line, column }: Position): number {
  let offset = starts[line - 1] ?? source.length;
  for (let at = 1; at < column; at++) offset += (source.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

/** How long the value is as it is written here, in quotes or plain; undefined where it is written otherwise. */
function writtenLength(source: string, text: string): number | undefined {
  const [double] = /^"(?:[^"\\\n]|\\.)*"/.exec(source) ?? [];
  if (double !== undefined) return tried(() => JSON.parse(double)) === text ? double.length : undefined;
  const [single] = /^'(?:[^'\n]|'')*'/.exec(source) ?? [];
  if (single !== undefined)
    return single.slice(1, -1).replaceAll("''", "'") === text ? single.length : undefined;
  return source.startsWith(text) ? text.length : undefined;
}

/** JSON, which YAML takes as a flow map. */
function flowMap({ locationId, city, stateProvince, country }: LocationInput): string {
  const [name, region, state] = [city, stateProvince, country].map((text) => JSON.stringify(text));
  return `{ "locationId": ${locationId}, "city": ${name}, "stateProvince": ${region}, "country": ${state} }`;
}
