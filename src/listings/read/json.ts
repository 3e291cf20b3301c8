import type { FieldPath } from '../../contract/problems.ts';
import { describeMalformed, flawWording } from '../../json/fault.ts';
import { createPositionFinder, type Mark, type Position } from '../../json/positions.ts';
import { JsonReader } from '../../json/reader.ts';
import { Malformed, TooMuch } from '../../json/words.ts';
import type { Fault, Rule } from '../check/finding.ts';
import type { DocumentReading, ListingDocument } from './listing.ts';
import { EMPTY_FILE, ofText, otherFormat, otherShape } from './other-formats.ts';

export interface JsonDocument extends ListingDocument {
  entries(): Iterable<JsonDocument>;
}

export type JsonReading =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly fault: Fault };

export const readJsonText = ofText((text) => listingsOfJson(text));

export const readJsonc = ofText((text) => listingsOfJson(text, true));

export function* listingsOfJson(text: string, isJsonc = false): Generator<DocumentReading> {
  if (text.trim() === '') return yield { ok: false, fault: EMPTY_FILE };
  const reading = readJson(text, createPositionFinder(text), isJsonc);
  const fault = reading.ok ? otherShape(reading.document.value) : otherFormat(text);
  if (fault !== undefined) yield { ok: false, fault };
  else if (reading.ok && Array.isArray(reading.document.value)) {
    let item = 0;
    for (const document of reading.document.entries())
      yield { ok: true, document: { ...document, unit: `item ${++item}` } };
  } else yield reading;
}

/** Parses strict JSON. Returns the first problem if that fails. Pass `positionAt` if the text is part of a file. */
export function readJson(
  text: string,
  positionAt = createPositionFinder(text),
  isJsonc = false,
): JsonReading {
  try {
    // Positions at the first level are enough to split an array. `locate` finds the others when needed.
    const reader = new JsonReader(text, 1, 0, { isJsonc });
    const value = reader.readWhole();
    const { root } = reader;
    return { ok: true, document: buildDocument({ text, isJsonc, positionAt, reader, root, value }) };
  } catch (error) {
    return { ok: false, fault: translateReadError(error, 'json-syntax', positionAt) };
  }
}

export function translateReadError(error: unknown, syntax: Rule, positionAt: (offset: number) => Position) {
  if (!(error instanceof Malformed)) throw error;
  const rule = error instanceof TooMuch ? 'file-content' : syntax;
  return { rule, ...describeMalformed(error, positionAt) };
}

interface Source {
  readonly text: string;
  readonly isJsonc: boolean;
  readonly positionAt: (offset: number) => Position;
  readonly reader: JsonReader | undefined;
  readonly root: Mark;
  readonly value: unknown;
}

function buildDocument(source: Source, marked?: Mark): JsonDocument {
  const { positionAt, reader, root, value } = source;
  return {
    value,
    flaws: (reader?.flaws ?? []).map((flaw) => ({
      path: flaw.path,
      ...positionAt(flaw.start),
      rule: flaw.rule,
      ...flawWording(flaw, positionAt),
    })),
    flawsOmitted: reader?.flawsOmitted ?? 0,
    locate(path, part = 'value') {
      if (path.length === 0) return positionAt(root.start);
      marked ??= readWithMarks(source, root.start).root;
      const mark = nearestMark(marked, path);
      return positionAt(part === 'name' ? mark.nameStart : mark.start);
    },
    *entries() {
      if (!Array.isArray(value)) return;
      const hasFlaws = reader !== undefined && reader.flaws.length > 0;
      for (const [index, entry] of value.entries()) {
        const mark = root.parts?.get(index) ?? root;
        const whole = hasFlaws ? readWithMarks(source, mark.start) : undefined;
        yield buildDocument({ ...source, reader: whole, root: mark, value: entry }, whole?.root);
      }
    },
  };
}

function readWithMarks({ text, isJsonc }: Source, start: number): JsonReader {
  const reader = new JsonReader(text, Number.POSITIVE_INFINITY, start, { isJsonc });
  reader.readValue();
  return reader;
}

function nearestMark(mark: Mark, [step, ...below]: FieldPath): Mark {
  const part = step === undefined ? undefined : mark.parts?.get(step);
  return part === undefined ? mark : nearestMark(part, below);
}
