import { flawWording, malformedFault } from '../contract/json/fault.ts';
import { type Position, positionsIn } from '../contract/json/positions.ts';
import { type JsonFlaw, JsonReader, Malformed, type Mark } from '../contract/json/reader.ts';
import type { FieldPath } from '../contract/problems.ts';
import type { Fault, Rule } from './finding.ts';

export interface JsonDocument {
  readonly value: unknown;
  /** What JSON allows but would be lost silently: repeated names, digits, halves of characters. */
  readonly flaws: readonly Fault[];
  /**
   * Where the value of a path stands, or its name where it has one. For a path that the text does not
   * have: where the nearest value around it begins.
   */
  locate(path: FieldPath, part?: 'value' | 'name'): Position;
  /** The entries of an array, each as a document of its own; none where it is no array. */
  entries(): JsonDocument[];
}

export type JsonReading =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly fault: Fault };

/**
 * Reads a text as strict JSON. The value is what `JSON.parse` gives; a text that is none gives the first
 * fault instead. `positionAt` places offsets where the text is a part of a larger one.
 */
export function readJson(text: string, positionAt = positionsIn(text)): JsonReading {
  // The marks of the outermost parts are enough to tell an array's listings apart; `locate` makes its own.
  const reader = new JsonReader(text, { markDepth: 1 });
  try {
    const value = reader.readWhole();
    const flaws = reader.flaws.map((flaw) => flawFault(flaw, positionAt));
    return { ok: true, document: documentAt({ text, positionAt, root: reader.root, value, flaws }) };
  } catch (error) {
    if (error instanceof Malformed) {
      return { ok: false, fault: { rule: 'json-syntax', ...malformedFault(error, positionAt) } };
    }
    throw error;
  }
}

interface Source {
  readonly text: string;
  readonly positionAt: (offset: number) => Position;
  /** Marked one level deep. */
  readonly root: Mark;
  readonly value: unknown;
  readonly flaws: readonly Fault[];
}

function documentAt({ text, positionAt, root, value, flaws }: Source): JsonDocument {
  let marked: Mark | undefined;
  return {
    value,
    flaws,
    locate(path, part = 'value') {
      if (path.length === 0) return positionAt(part === 'name' ? root.nameStart : root.start);
      marked ??= markedWhole(text, root.start);
      const mark = nearestMark(marked, path);
      return positionAt(part === 'name' ? mark.nameStart : mark.start);
    },
    entries() {
      if (!Array.isArray(value)) return [];
      const flawsOf = byEntry(flaws);
      return value.map((entry: unknown, index) => {
        const mark = root.parts.get(index) ?? root;
        return documentAt({ text, positionAt, root: mark, value: entry, flaws: flawsOf.get(index) ?? [] });
      });
    },
  };
}

/** The flaws of an array by the index of the entry they are in, their paths relative to it. */
function byEntry(flaws: readonly Fault[]): Map<string | number, Fault[]> {
  const groups = new Map<string | number, Fault[]>();
  for (const flaw of flaws) {
    const [index = 0, ...path] = flaw.path ?? [];
    const group = groups.get(index) ?? [];
    groups.set(index, group);
    group.push({ ...flaw, path });
  }
  return groups;
}

/** The marks of everything in the value at `start`, read a second time: only texts with findings pay for it. */
function markedWhole(text: string, start: number): Mark {
  const reader = new JsonReader(text, { start, markDepth: Number.POSITIVE_INFINITY });
  reader.readValue();
  return reader.root;
}

function nearestMark(root: Mark, path: FieldPath): Mark {
  let mark = root;
  for (const step of path) {
    const part = mark.parts.get(step);
    if (part === undefined) break;
    mark = part;
  }
  return mark;
}

function flawFault(flaw: JsonFlaw, positionAt: Source['positionAt']): Fault {
  const { path, start, kind } = flaw;
  return { path, ...positionAt(start), rule: FLAW_RULES[kind], ...flawWording(flaw, positionAt) };
}

const FLAW_RULES = {
  'repeated-name': 'json-repeated-field',
  'lost-digits': 'json-lost-digits',
  'half-character': 'json-half-character',
} as const satisfies Record<JsonFlaw['kind'], Rule>;
