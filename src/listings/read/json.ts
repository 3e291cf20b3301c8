import { flawWording, malformedFault } from '../../contract/json/fault.ts';
import { type Position, positionsIn } from '../../contract/json/positions.ts';
import { type JsonFlaw, JsonReader, type Mark } from '../../contract/json/reader.ts';
import { Malformed, TooMuch } from '../../contract/json/words.ts';
import type { FieldPath } from '../../contract/problems.ts';
import type { Fault, Rule } from '../check/finding.ts';
import type { DocumentReading, ListingDocument } from './listing.ts';
import { EMPTY_FILE, ofText, otherFormat, otherShape } from './other-formats.ts';

export interface JsonDocument extends ListingDocument {
  entries(): Iterable<JsonDocument>;
}

export type JsonReading =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly fault: Fault };

/** JSON with comments and commas behind the last entries. */
export const readJsonc = ofText((text) => listingsOfJson(text, true));

/** The listings of a text that holds one, or an array of them; none of an empty array. */
export function* listingsOfJson(text: string, isJsonc = false): Generator<DocumentReading> {
  if (text.trim() === '') return yield { ok: false, fault: EMPTY_FILE };
  const reading = readJson(text, positionsIn(text), isJsonc);
  const fault = reading.ok ? otherShape(reading.document.value) : otherFormat(text);
  if (fault !== undefined) yield { ok: false, fault };
  else if (reading.ok && Array.isArray(reading.document.value))
    for (const document of reading.document.entries()) yield { ok: true, document };
  else yield reading;
}

/** Strict JSON, with the first fault of a text that is none or too large. `positionAt` is for a part of a text. */
export function readJson(text: string, positionAt = positionsIn(text), isJsonc = false): JsonReading {
  try {
    // The marks of the outermost parts are enough to tell an array's listings apart; `locate` makes its own.
    const reader = new JsonReader(text, 1, 0, { isJsonc });
    const value = reader.readWhole();
    const { root } = reader;
    return { ok: true, document: documentAt({ text, isJsonc, positionAt, reader, root, value }) };
  } catch (error) {
    return { ok: false, fault: faultOf(error, 'json-syntax', positionAt) };
  }
}

/** Returns the problem if a text can't be parsed. Throws any other error. */
export function faultOf(error: unknown, syntax: Rule, positionAt: (offset: number) => Position): Fault {
  if (!(error instanceof Malformed)) throw error;
  const rule = error instanceof TooMuch ? 'file-content' : syntax;
  return { rule, ...malformedFault(error, positionAt) };
}

interface Source {
  readonly text: string;
  readonly isJsonc: boolean;
  readonly positionAt: (offset: number) => Position;
  readonly reader: JsonReader | undefined;
  readonly root: Mark;
  readonly value: unknown;
}

function documentAt(source: Source, marked?: Mark): JsonDocument {
  const { positionAt, reader, root, value } = source;
  return {
    value,
    flaws: (reader?.flaws ?? []).map((flaw) => ({
      path: flaw.path,
      ...positionAt(flaw.start),
      rule: FLAW_RULES[flaw.kind],
      ...flawWording(flaw, positionAt),
    })),
    flawsOmitted: reader?.flawsOmitted ?? 0,
    locate(path, part = 'value') {
      if (path.length === 0) return positionAt(part === 'name' ? root.nameStart : root.start);
      marked ??= markedWhole(source, root.start).root;
      const mark = nearestMark(marked, path);
      return positionAt(part === 'name' ? mark.nameStart : mark.start);
    },
    *entries() {
      if (!Array.isArray(value)) return;
      const hasFlaws = reader !== undefined && reader.flaws.length > 0;
      for (const [index, entry] of value.entries()) {
        const mark = root.parts?.get(index) ?? root;
        const whole = hasFlaws ? markedWhole(source, mark.start) : undefined;
        yield documentAt({ ...source, reader: whole, root: mark, value: entry }, whole?.root);
      }
    },
  };
}

/** Everything in the value at `start`, marked, read a second time: only texts with findings pay for it. */
function markedWhole({ text, isJsonc }: Source, start: number): JsonReader {
  const reader = new JsonReader(text, Number.POSITIVE_INFINITY, start, { isJsonc });
  reader.readValue();
  return reader;
}

function nearestMark(mark: Mark, [step, ...below]: FieldPath): Mark {
  const part = step === undefined ? undefined : mark.parts?.get(step);
  return part === undefined ? mark : nearestMark(part, below);
}

const FLAW_RULES = {
  'repeated-name': 'json-repeated-field',
  'lost-digits': 'json-lost-digits',
  'half-character': 'json-half-character',
} as const satisfies Record<JsonFlaw['kind'], Rule>;
