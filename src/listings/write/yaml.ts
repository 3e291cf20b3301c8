import type { Document } from 'yaml';
import { CONTENT_FIELDS, type JobInput } from '../../contract/job.ts';
import {
  charCodes,
  escapeRunnerCommands,
  INVISIBLE_CHARS,
  withoutRunnerCommands,
} from '../../contract/outside-text.ts';

type Yaml = Pick<typeof import('yaml'), 'Document' | 'visit'>;

/** What a job file may hold: a JobInput, its locations also as text. */
export type WrittenListing = Omit<JobInput, 'locations'> & {
  readonly locations?: readonly unknown[] | undefined;
};

const FIELDS: readonly string[] = [...CONTENT_FIELDS, 'publish'];

/** The fields that are given, in the contract's order. */
export function inContractOrder(listing: WrittenListing): WrittenListing {
  const given = Object.entries(listing).filter(([, value]) => value !== undefined);
  const byPlace = given.sort(([a], [b]) => FIELDS.indexOf(a) - FIELDS.indexOf(b));
  return Object.fromEntries(byPlace);
}

/** Longer texts get lines of their own. */
const LINE_CHARACTERS = 100;

/** A block begins and ends with something that can be seen. */
const BLOCK = /^\S(?:.*\S)?\n?$/s;

/** A listing as a document that comments can be added to; long texts and those of several lines are blocks. */
export function yamlDocument({ Document, visit }: Yaml, listing: WrittenListing): Document {
  // Also readers of YAML 1.1 are to see the text NO, not false.
  const document = new Document(inContractOrder(listing), {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(key, node) {
      const { value } = node;
      if (key === 'key' || typeof value !== 'string') return;
      const isLong = value.includes('\n') || value.length > LINE_CHARACTERS;
      if (isHidden(value) || (isLong && !BLOCK.test(value))) node.type = 'QUOTE_DOUBLE';
      else if (isLong) node.type = 'BLOCK_LITERAL';
    },
  });
  return document;
}

/** The text of a document, safe on a terminal and in the log of a CI runner. */
export function yamlText(document: Document): string {
  // A quoted text on several lines would be folded, and is harder to read than one with `\n` in it.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return escapeRunnerCommands(text.replace(CONTROL_CHARS, charCodes).replace(INVISIBLE_CHARS, charCodes));
}

const CONTROL_CHARS = /[\x7f-\x9f]/g;

/** True for what a reader would not see, or a CI runner would obey: it is written as codes, which only quotes allow. */
export function isHidden(text: string): boolean {
  const isControl = /[^\P{Cc}\t\n]|\p{Surrogate}/u.test(text);
  return isControl || text.search(INVISIBLE_CHARS) !== -1 || withoutRunnerCommands(text) !== text;
}
