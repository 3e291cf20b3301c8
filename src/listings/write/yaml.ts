import type { Document } from 'yaml';
import { CONTENT_FIELDS, type JobInput } from '../../contract/job.ts';
import {
  charCodes,
  escapeRunnerCommands,
  INVISIBLE_CHARS,
  withoutRunnerCommands,
} from '../../text/outside-text.ts';

type Yaml = Pick<typeof import('yaml'), 'Document' | 'visit'>;

export type WrittenListing = Omit<JobInput, 'locations'> & {
  readonly locations?: readonly unknown[] | undefined;
};

const FIELDS: readonly string[] = [...CONTENT_FIELDS, 'publish'];

export function inContractOrder(listing: WrittenListing): WrittenListing {
  const given = Object.entries(listing).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.sort(([a], [b]) => FIELDS.indexOf(a) - FIELDS.indexOf(b)));
}

const LINE_CHARACTERS = 100;

/** Matches text that can be a YAML block: it must begin and end with a visible character. */
const BLOCK = /^\S(?:.*\S)?\n?$/s;

export function yamlDocument({ Document, visit }: Yaml, listing: WrittenListing, comment?: string): Document {
  // Makes YAML 1.1 parsers read the text NO as text, not as false.
  const document = new Document(inContractOrder(listing), {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  if (comment !== undefined) document.commentBefore = comment.replace(/^/gm, ' ');
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

/** Formats a document so that it's safe in a terminal and in the log of a CI runner. */
export function yamlText(document: Document): string {
  // Keeps quoted text on one line, because `\n` is easier to read than folded lines.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return escapeRunnerCommands(text.replace(CONTROL_CHARS, charCodes).replace(INVISIBLE_CHARS, charCodes));
}

const CONTROL_CHARS = /[\x7f-\x9f]/g;

/** True for invisible characters and commands of CI runners. They are escaped, which requires quotes. */
export function isHidden(text: string): boolean {
  const isControl = /[^\P{Cc}\t\n]|\p{Surrogate}/u.test(text);
  return isControl || text.search(INVISIBLE_CHARS) !== -1 || withoutRunnerCommands(text) !== text;
}

/** Returns front matter and body. The description is the body if Markdown keeps it exactly. */
export function markdownParts(yaml: Yaml, listing: WrittenListing, comment?: string) {
  const { description = '', ...others } = listing;
  const isBody = description !== '' && description.trim() === description && !isHidden(description);
  return { head: yamlDocument(yaml, isBody ? others : listing, comment), body: isBody ? description : '' };
}

export function markdownText({ head, body }: { readonly head: Document; readonly body: string }): string {
  return `---\n${yamlText(head)}---\n${body === '' ? '' : `\n${body}\n`}`;
}
