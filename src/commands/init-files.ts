import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readPart } from '../cli/help/topics.ts';
import { shellWord } from '../cli/terminal/view.ts';
import { PartnerError } from '../contract/errors.ts';
import { attempt, attemptWrite } from '../contract/system-errors.ts';
import { findEntry, replaceFile } from '../files/own-file.ts';
import type { Input } from '../listings/read/bytes.ts';
import { findFormat } from '../listings/read/formats.ts';
import { DEFAULTS_FILES, expandPaths } from '../listings/read/paths.ts';
import { PACKAGE_ROOT } from '../package.ts';
import table from './init.json' with { type: 'json' };

export interface Setup {
  readonly ci: keyof typeof table.ci;
  /** A `board` is imported every night, and an `export` once. `files` are copied. `applied` files have a state. */
  readonly kind: keyof typeof table.next;
  readonly source: string;
  readonly baseUrl: string | undefined;
}

/** A source that doesn't exist is treated as a board, because the import reports typos. */
export async function findSourceKind(source: string, input: Input): Promise<Setup['kind']> {
  if (source === 'none' && existsSync('jobs/.partner/state.json')) return 'applied';
  if (source === 'none') return existsSync('jobs') ? 'kept' : 'none';
  if (!existsSync(source)) return 'board';
  if (`${resolve(source)}${sep}`.startsWith(`${resolve('jobs')}${sep}`)) return 'kept';
  const names = statSync(source).isDirectory() ? readdirSync(source) : [''];
  const paths = names.map((name) => join(source, name));
  const document = paths.find((path) => /\.(?:json|xml|html?)$/i.test(path));
  if (document === undefined) return 'files';
  const { fileDocument } = await import('../import/documents.ts');
  const { detectSystem } = await import('../import/sources.ts');
  const isExport = !findFormat(document) || (await detectSystem(await fileDocument(document, input)));
  return isExport ? 'export' : 'files';
}

export function detectCi(): Setup['ci'] | undefined {
  if (existsSync('.github')) return 'github';
  const remote = /\b(github|gitlab)\./.exec(readText('.git/config'))?.[1] as Setup['ci'] | undefined;
  return existsSync('.gitlab-ci.yml') ? 'gitlab' : remote;
}

/** Returns the directory that contains `.git`, at or above `directory`. */
function findRepository(directory = process.cwd()): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  return dirname(directory) === directory ? undefined : findRepository(dirname(directory));
}

/** Throws USAGE below the root of a repository. */
export function assertRoot(): void {
  const root = findRepository() ?? process.cwd();
  if (root === process.cwd()) return;
  throw new PartnerError('USAGE', {
    message: `CI reads workflows only from the root directory of the repository, ${root}`,
    hint: `run \`cd ${shellWord(root)}\` first, or pass --ci none`,
  });
}

/** Creates the files that don't exist. Throws OUTPUT_UNWRITABLE and the errors of reading. */
export async function writeNewFiles(setup: Setup) {
  const { ci, kind, source } = setup;
  const { all, 'github board': board, ...ofCi } = table.files;
  const templates = { ...all, ...ofCi[ci], ...(ci === 'github' && kind === 'board' ? board : {}) };
  const adapt = createAdapter(setup);
  const files = new Map<string, string | Buffer>();
  for (const [path, template] of Object.entries(templates))
    files.set(path, readPart('the template', join(PACKAGE_ROOT, template), adapt));
  if (kind === 'files') for (const [path, content] of await listCopies(source)) files.set(path, content);
  const done = { written: [] as string[], kept: [] as string[] };
  for (const [path, content] of files) {
    const isKept = findEntry(path) !== undefined;
    done[isKept ? 'kept' : 'written'].push(path);
    if (!isKept) attemptWrite(path, () => replaceFile(path, content));
  }
  return done;
}

/** Imported and exported jobs may be incomplete, so they stay drafts until their files set `publish: true`. */
function createAdapter({ kind, source, baseUrl = '' }: Setup): (template: string) => string {
  const isBoard = kind === 'board';
  const staysDraft = isBoard || kind === 'export' || kind === 'applied';
  const head = readText('.git/refs/remotes/origin/HEAD') || readText('.git/HEAD');
  const [, branch = 'main'] = /^ref: refs\/(?:heads|remotes\/origin)\/([\w./-]+)$/m.exec(head) ?? [];
  // Other values could change a workflow, or contain a password, so the workflow reads them from CI variables.
  const isPlain = (value: string) => /^[\w.:/%~+ -]+$/.test(value);
  const edits: [RegExp, string, boolean?][] = [
    [/(?<=branches: \[|refs\/heads\/)main\b/g, branch],
    [/(?<=^ +PARTNER_BASE_URL: ).*/gm, `'${baseUrl}'`, isPlain(baseUrl)],
    [/(?<=^ +IMPORT_SOURCE: ).*/gm, `'${source}'`, isBoard && isPlain(source)],
    [/(?<=jobs (?:plan|apply) jobs) --publish/g, '', staysDraft],
    [/(?<=jobs validate jobs)/g, ' --draft', staysDraft],
  ];
  const made = edits.filter(([, , isMade = true]) => isMade);
  return (template) => made.reduce((text, [part, by]) => text.replace(part, () => by), template);
}

/** Returns job files and the `_defaults.yaml` next to them, by their path in `jobs/`. */
async function listCopies(source: string): Promise<[path: string, content: Buffer][]> {
  const { names } = await expandPaths([source]);
  const root = statSync(source).isDirectory() ? source : dirname(source);
  const directories = [...new Set(names.map(dirname))];
  const near = directories.flatMap((path) => DEFAULTS_FILES.map((name) => join(path, name)));
  const paths = [...names, ...near.filter((path) => existsSync(path))];
  return paths.map((path) => [join('jobs', relative(root, path)), readFileSync(path)]);
}

/** Returns what the user still has to do before the first run. */
export function listSteps({ ci, kind }: Setup): string[] {
  const { steps } = table;
  if (ci === 'none') return [kind === 'files' ? [steps.copied] : [], steps.unnamed].flat();
  const workflows = [...Object.keys(table.files[ci]), '.github/workflows/import.yml'].map(readText).join('');
  const names = kind === 'board' ? ['PARTNER_BASE_URL', 'IMPORT_SOURCE'] : ['PARTNER_BASE_URL'];
  const unset = names.filter((name) => RegExp(`vars\\.${name} |${name}: ''`).test(workflows));
  return [
    kind === 'files' ? [steps.copied] : [],
    findRepository() === undefined ? [steps.git] : [],
    readText('package.json').includes('"partner-jobs-cli"') ? [] : [steps.package],
    ci === 'github' || readText('.gitlab-ci.yml').includes('.gitlab/jobs.yml') ? [] : [steps.include],
    steps[ci],
    kind === 'applied' ? [steps.state] : [],
    unset.map((name) => steps[`${ci} variable`].replaceAll('NAME', name)),
  ].flat();
}

function readText(path: string): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? '';
}
