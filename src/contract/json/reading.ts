import type { FieldPath } from '../problems.ts';
import type { Wording } from './words.ts';

/** Where a value begins, where its name does (the value itself, in an array), and the marks of its parts. */
export interface Mark {
  readonly start: number;
  readonly nameStart: number;
  /** None where it has no parts, or none that are marked. */
  parts?: Map<string | number, Mark>;
}

/** How much is read of a text before it is refused: a value takes many times the memory of its text. */
export interface ReadBounds {
  /** Of the outermost array. */
  readonly entriesMax: number;
  /** Values in one entry of the outermost array, or in the whole where that is no array. */
  readonly valuesMax: number;
  /** So many flaws of the text are kept; the others are only counted. */
  readonly flawsMax: number;
}

export type FlawKind =
  | { readonly kind: 'repeated-name'; readonly firstStart: number }
  | { readonly kind: 'lost-digits'; readonly literal: string; readonly value: number }
  | { readonly kind: 'half-character' };

/** What JSON allows and would lose something of the file without a word. */
export type JsonFlaw = FlawKind & { readonly path: FieldPath; readonly start: number };

/** Where a text stops being JSON. `openedAt` is the bracket or quote that the message speaks of. */
export class Malformed extends Error {
  readonly at: number;
  readonly hint: string | undefined;
  readonly openedAt: number | undefined;

  constructor(at: number, wording: Wording, openedAt?: number) {
    super(wording.message);
    this.at = at;
    this.hint = wording.hint;
    this.openedAt = openedAt;
  }
}

/** JSON, but more of it than is read. */
export class TooMuch extends Malformed {}
