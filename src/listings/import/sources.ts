import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { inPool } from '../../contract/promises.ts';
import { isObject } from '../../contract/values.ts';
import type { Input } from '../read/bytes.ts';
import pages from './board-pages.json' with { type: 'json' };
import { systemOf } from './detect.ts';
import { documentOf, fileDocument, type ReadBytes } from './documents.ts';
import { type DocumentPostings, readPostings, type SourceDocument, type System } from './system.ts';
import { SYSTEMS, type SystemName } from './systems/index.ts';

export interface SourceContext extends Input {
  /** Reads a public address. Throws errors of the table, with the status that was answered. */
  readonly readAddress: (address: string) => Promise<ReadBytes>;
  readonly from?: SystemName | undefined;
  /** Asks for the questions of each posting, where a board's list has none. */
  readonly withQuestions?: boolean | undefined;
}

export interface SourceReading extends DocumentPostings {
  readonly name: string;
  readonly system: System;
  readonly warnings: readonly string[];
}

interface Board {
  readonly system: System;
  readonly token: string;
  readonly url: string;
}

const QUESTIONS_AT_ONCE = 4;
const ADDRESS = /^https?:/i;
const FILE_NAME = /\.(?:json|xml|html?)$/i;

/** The postings of each document of a source: a file, a directory, `-`, an address or a board. Throws what is wrong with it. */
export async function* readSource(source: string, context: SourceContext): AsyncGenerator<SourceReading> {
  const board = await boardOf(source);
  for await (const document of documentsOf(source, board, context)) {
    const system = board?.system ?? (await systemOf(document, context.from));
    const { name, warnings = [] } = document;
    yield { name, system, warnings, ...readPostings(system, document) };
  }
}

async function* documentsOf(
  source: string,
  board: Board | undefined,
  context: SourceContext,
): AsyncGenerator<SourceDocument> {
  const address = board?.url ?? (ADDRESS.test(source) ? source : undefined);
  if (address !== undefined) {
    const document = await documentOf(address, await context.readAddress(address));
    yield board && context.withQuestions ? await withQuestions(document, board, context) : document;
    return;
  }
  for (const file of await filesOf(source)) yield await fileDocument(file, context);
}

const SYSTEM_NAMES = Object.keys(SYSTEMS) as SystemName[];

/** The pages at which people see a board: what they paste is the board, and a page has no postings to read. */
const BOARD_PAGES = Object.entries(pages).map(([system, page]) => [new RegExp(page), system] as const);

function boardOfPage(source: string): string | undefined {
  for (const [page, system] of BOARD_PAGES) {
    const token = page.exec(source)?.[1];
    if (token !== undefined) return `${system}:${token.replaceAll('%20', ' ')}`;
  }
  return undefined;
}

/** The board of `greenhouse:acme`, or of the page of one. Throws USAGE for a board that cannot be. */
async function boardOf(source: string): Promise<Board | undefined> {
  const [, prefix, token = ''] = /^([a-z.]+):(?!\/)(.*)$/s.exec(boardOfPage(source) ?? source) ?? [];
  const name = SYSTEM_NAMES.find((known) => known === prefix);
  if (name === undefined) return undefined;
  const system: System = await SYSTEMS[name]();
  if (system.boardUrl === undefined) {
    const message = `${system.title} has no public board to read by a name`;
    throw new PartnerError('USAGE', { message, hint: 'give the file or the address of its feed' });
  }
  if (!/^[\w.-]+(?: [\w.-]+)*$/.test(token) || /^\.+$/.test(token)) {
    const message = `this is no name of a board at ${system.title}: ${JSON.stringify(token)}`;
    const hint =
      "it is the part of the board's address that names the company: letters, digits, spaces, . _ and -";
    throw new PartnerError('USAGE', { message, hint });
  }
  const encoded = encodeURIComponent(token);
  return { system, token: encoded, url: system.boardUrl(encoded) };
}

/** A posting that is gone since the list was made stays as the list has it. */
async function withQuestions(
  document: SourceDocument,
  { system, token }: Board,
  context: SourceContext,
): Promise<SourceDocument> {
  const postings = [...system.postings(document)];
  await inPool([...postings.entries()], QUESTIONS_AT_ONCE, async ([index, posting]) => {
    const id = system.id(posting);
    const url = id === undefined ? undefined : system.questionsUrl?.(token, encodeURIComponent(id));
    if (url === undefined) return;
    const answer = await context.readAddress(url).catch((error: unknown) => {
      if (error instanceof PartnerError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    const { json } = answer === undefined ? {} : await documentOf(url, answer);
    if (isObject(posting) && isObject(json)) postings[index] = { ...posting, ...json };
  });
  return { ...document, json: postings };
}

/** The files of a directory that may be documents, in the order of their names; anything else by itself. */
async function filesOf(source: string): Promise<readonly string[]> {
  const stats = source === '-' ? undefined : await stat(source).catch(() => undefined);
  if (stats?.isDirectory()) {
    const names = (await readdir(source)).filter((name) => FILE_NAME.test(name)).sort();
    if (names.length > 0) return names.map((name) => join(source, name));
    const hint = 'name a directory with .json, .xml or .html files';
    throw new PartnerError('FILE_UNREADABLE', {
      message: `${source} has no file that can be imported`,
      hint,
    });
  }
  const [, system, token] = /^([a-z.]+):([\w.-]+)$/.exec(source) ?? [];
  if (stats === undefined && system !== undefined) {
    const near = nearest(system, SYSTEM_NAMES);
    const hint = near ? `did you mean ${near}:${token}?` : `known are ${SYSTEM_NAMES.join(', ')}`;
    throw new PartnerError('USAGE', { message: `no system is called ${system}`, hint });
  }
  return [source];
}
