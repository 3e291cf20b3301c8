import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreErrors, PartnerError } from '../contract/errors.ts';
import { inPool } from '../contract/promises.ts';
import { isObject } from '../contract/values.ts';
import { createTurns, type Input } from '../listings/read/bytes.ts';
import { nearest } from '../text/nearest.ts';
import pages from './board-pages.json' with { type: 'json' };
import { fileDocument, parseDocument, type ReadBytes } from './documents.ts';
import { readPostings, type SourceDocument, type System } from './system.ts';
import { SYSTEMS, type SystemName } from './systems/index.ts';

export interface SourceContext extends Input {
  /** Reads a public URL. Throws a PartnerError with the response's status. */
  readonly readAddress: (address: string) => Promise<ReadBytes>;
  readonly from?: SystemName | undefined;
  readonly withQuestions?: boolean | undefined;
}

type Board = NonNullable<Awaited<ReturnType<typeof findBoard>>>;

const QUESTIONS_AT_ONCE = 4;
const ADDRESS = /^https?:/i;
const FILE_NAME = /\.(?:json|xml|html?)$/i;

/** Reads each document of a file, directory, stdin (`-`), URL or board. Throws the errors of the source. */
export async function* readSource(source: string, context: SourceContext) {
  const board = await findBoard(source);
  for await (const document of readDocuments(source, board, context)) {
    const system = board?.system ?? (await chooseSystem(document, context.from));
    yield { name: document.name, system, ...readPostings(system, document) };
  }
}

async function* readDocuments(source: string, board: Board | undefined, context: SourceContext) {
  const address = board?.url ?? (ADDRESS.test(source) ? source : undefined);
  if (address !== undefined) {
    const content = await context.readAddress(address);
    const document = await parseDocument(address, content, createTurns(context.interrupted));
    yield board && context.withQuestions ? await withQuestions(document, board, context) : document;
    return;
  }
  for (const file of await listSourceFiles(source)) yield await fileDocument(file, context);
}

const SYSTEM_NAMES = Object.keys(SYSTEMS) as SystemName[];

/** Web pages of boards. A pasted page URL means its board, because the page itself contains no postings. */
const BOARD_PAGES = Object.entries(pages).map(([system, page]) => [new RegExp(page), system] as const);

function boardOfPage(source: string): string | undefined {
  for (const [page, system] of BOARD_PAGES) {
    const token = page.exec(source)?.[1];
    if (token !== undefined) return `${system}:${token.replaceAll('%20', ' ')}`;
  }
  return undefined;
}

/** Returns the board for `greenhouse:acme`, or for the URL of its page. Throws USAGE for an invalid name. */
async function findBoard(source: string) {
  const [, prefix, token = ''] = /^([a-z.]+):(?!\/)(.*)$/s.exec(boardOfPage(source) ?? source) ?? [];
  const name = SYSTEM_NAMES.find((known) => known === prefix);
  if (name === undefined) return undefined;
  const system: System = await SYSTEMS[name]();
  if (system.boardUrl === undefined) {
    const message = `${system.title} has no public board that can be imported by name`;
    throw new PartnerError('USAGE', { message, hint: 'pass the file or URL of its feed' });
  }
  if (!/^[\w.-]+(?: [\w.-]+)*$/.test(token) || /^\.+$/.test(token)) {
    const message = `invalid ${system.title} board name: ${JSON.stringify(token)}`;
    const hint = "use the company part of the board's URL: letters, digits, spaces, . _ and -";
    throw new PartnerError('USAGE', { message, hint });
  }
  const encoded = encodeURIComponent(token);
  return { system, token: encoded, url: system.boardUrl(encoded) };
}

/** Adds the application questions to each posting. A posting that no longer exists stays unchanged. */
async function withQuestions(document: SourceDocument, { system, token }: Board, context: SourceContext) {
  const postings = [...system.postings(document)];
  await inPool([...postings.entries()], QUESTIONS_AT_ONCE, async ([index, posting]) => {
    const id = system.id(posting);
    const url = id === undefined ? undefined : system.questionsUrl?.(token, encodeURIComponent(id));
    if (url === undefined) return;
    const answer = await context.readAddress(url).catch(ignoreErrors('NOT_FOUND'));
    const { json } = answer === undefined ? {} : await parseDocument(url, answer);
    if (isObject(posting) && isObject(json)) postings[index] = { ...posting, ...json };
  });
  return { ...document, json: postings };
}

async function listSourceFiles(source: string): Promise<readonly string[]> {
  const stats = source === '-' ? undefined : await stat(source).catch(() => undefined);
  if (stats?.isDirectory()) {
    const names = (await readdir(source)).filter((name) => FILE_NAME.test(name)).sort();
    if (names.length > 0) return names.map((name) => join(source, name));
    const message = `${source} has no files to import`;
    const hint = 'pass a directory with .json, .xml or .html files';
    throw new PartnerError('FILE_UNREADABLE', { message, hint });
  }
  const [, system, token] = /^([a-z.]+):([\w.-]+)$/.exec(source) ?? [];
  if (stats === undefined && system !== undefined) {
    const near = nearest(system, SYSTEM_NAMES);
    const hint = near ? `did you mean ${near}:${token}?` : `the known systems are ${SYSTEM_NAMES.join(', ')}`;
    throw new PartnerError('USAGE', { message: `unknown system ${system}`, hint });
  }
  return [source];
}

export async function detectSystem(document: SourceDocument): Promise<System | undefined> {
  for (const load of Object.values(SYSTEMS)) {
    const system: System = await load();
    if (system.recognises(document)) return system;
  }
  return undefined;
}

/** Returns the specified or detected system. Throws FILE_INVALID if the document doesn't match. */
export async function chooseSystem(document: SourceDocument, named: SystemName | undefined): Promise<System> {
  if (named === undefined) {
    const detected = await detectSystem(document);
    if (detected !== undefined) return detected;
    const [form, hint] = describeForm(document);
    throw new PartnerError('FILE_INVALID', { message: `${document.name} is ${form}`, hint });
  }
  const system: System = await SYSTEMS[named]();
  const isTitled = () => readPostings(system, document).postings.some(({ fields }) => fields.title);
  if (system.recognises(document) || isTitled()) return system;
  throw new PartnerError('FILE_INVALID', {
    message: `${document.name} contains no ${system.title} postings`,
    hint: 'check that it has postings, or omit --from to detect the system',
  });
}

function describeForm({ text, json, xml }: SourceDocument): readonly [form: string, hint: string] {
  if (text.trim() === '') return ['empty', 'download it again'];
  const form = xml !== undefined ? `XML of <${xml.root}>` : json !== undefined ? 'JSON' : undefined;
  if (form === undefined)
    return [
      'not JSON, XML or HTML',
      "tables and job files don't need an import. To map other names, run `partner jobs map FILE`",
    ];
  const known = `the known systems are ${Object.keys(SYSTEMS).join(', ')}. If it is one of them, pass it with --from`;
  return [`${form}, but contains no posting of a known system`, known];
}
