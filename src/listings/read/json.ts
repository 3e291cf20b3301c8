import { flawWording, malformedFault } from '../../contract/json/fault.ts';
import { type Position, positionsIn } from '../../contract/json/positions.ts';
import { type JsonFlaw, JsonReader, type Mark } from '../../contract/json/reader.ts';
import { Malformed, TooMuch } from '../../contract/json/words.ts';
import type { FieldPath } from '../../contract/problems.ts';
import type { Fault, Rule } from '../check/finding.ts';
import type { ListingDocument } from './listing.ts';

export interface JsonDocument extends ListingDocument {
  entries(): Iterable<JsonDocument>;
}

export type JsonReading =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly fault: Fault };

/** Strict JSON, with the first fault of a text that is none or too large. `positionAt` is for a part of a text. */
export function readJson(text: string, positionAt = positionsIn(text)): JsonReading {
  // The marks of the outermost parts are enough to tell an array's listings apart; `locate` makes its own.
  const reader = new JsonReader(text, 1);
  try {
    const value = reader.readWhole();
    return { ok: true, document: documentAt({ text, positionAt, reader, root: reader.root, value }) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const rule = error instanceof TooMuch ? 'file-content' : 'json-syntax';
    return { ok: false, fault: { rule, ...malformedFault(error, positionAt) } };
  }
}

interface Source {
  readonly text: string;
  readonly positionAt: (offset: number) => Position;
  readonly reader: JsonReader | undefined;
  readonly root: Mark;
  readonly value: unknown;
}

function documentAt(source: Source, marked?: Mark): JsonDocument {
  const { text, positionAt, reader, root, value } = source;
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
      marked ??= markedWhole(text, root.start).root;
      const mark = nearestMark(marked, path);
      return positionAt(part === 'name' ? mark.nameStart : mark.start);
    },
    *entries() {
      if (!Array.isArray(value)) return;
      const hasFlaws = reader !== undefined && reader.flaws.length > 0;
      for (const [index, entry] of value.entries()) {
        const mark = root.parts?.get(index) ?? root;
        const whole = hasFlaws ? markedWhole(text, mark.start) : undefined;
        yield documentAt({ ...source, reader: whole, root: mark, value: entry }, whole?.root);
      }
    },
  };
}

/** Everything in the value at `start`, marked, read a second time: only texts with findings pay for it. */
function markedWhole(text: string, start: number): JsonReader {
  const reader = new JsonReader(text, Number.POSITIVE_INFINITY, start);
  reader.readValue();
  return reader;
}

function nearestMark(root: Mark, path: FieldPath): Mark {
  let mark = root;
  for (const step of path) {
    const part = mark.parts?.get(step);
    if (part === undefined) break;
    mark = part;
  }
  return mark;
}

const FLAW_RULES = {
  'repeated-name': 'json-repeated-field',
  'lost-digits': 'json-lost-digits',
  'half-character': 'json-half-character',
} as const satisfies Record<JsonFlaw['kind'], Rule>;
