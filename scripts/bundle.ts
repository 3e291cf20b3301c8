import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** Large packages that few calls need, with the names used: each is its own file in `dist/apart`, read on demand. */
export const APART: Readonly<Record<string, readonly string[]>> = {
  undici: ['Agent', 'EnvHttpProxyAgent', 'buildConnector'],
  inquirer: ['default'],
  ora: ['default'],
  open: ['default'],
  'cli-table3': ['default'],
  picomatch: ['default'],
  yaml: [
    'Composer',
    'Document',
    'Lexer',
    'LineCounter',
    'Parser',
    'isAlias',
    'isMap',
    'isPair',
    'isScalar',
    'isSeq',
    'parseAllDocuments',
    'stringify',
    'visit',
  ],
  'csv-parse/sync': ['parse', 'CsvError'],
  'read-excel-file/universal': ['readSheet'],
  'write-excel-file/universal': ['default'],
  'html-to-text': ['compile', 'convert'],
  htmlparser2: ['Parser'],
  fflate: ['strFromU8', 'strToU8', 'unzipSync', 'zipSync'],
  pg: ['Client', 'Pool'],
  pino: ['destination', 'pino', 'stdTimeFunctions'],
  'prom-client': ['Counter', 'Gauge', 'Histogram', 'Registry', 'collectDefaultMetrics'],
};

/** Large lists that few calls need: each stays a file of JSON in `dist/apart`, parsed where it is first used. */
const JSON_APART =
  /src[/\\](?:listings[/\\](?:import[/\\]facts|places)[/\\]words|contract[/\\]openapi-frame)\.json$/;

/** What oclif loads to search plugins on disk and to fill in templates, of which there are none: it never uses them. */
const UNUSED_BY_OCLIF = /^(?:tinyglobby|minimatch|lilconfig|ejs)$/;
/** Those that oclif names while it is loaded, of some ninety. */
const SPINNERS_OF_OCLIF = ['dots2', 'line'];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NATIVE_TARGET = fileURLToPath(new URL('./native-target.cjs', import.meta.url));

const COMMON: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minify: true,
  legalComments: 'linked',
  // A script that V8 is handed compiled has no `import()`: it becomes a `require` when it is reached.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
  outExtension: { '.js': '.cjs' },
  logLevel: 'warning',
  metafile: true,
};

/**
 * One CommonJS file in which a dynamic import runs its module at first use: what V8 can keep compiled. Gives the files
 * that something was taken of.
 */
export async function bundle(entry: string, outdir: string): Promise<string[]> {
  const main = await build({
    ...COMMON,
    entryPoints: { partner: entry },
    outdir,
    external: ['@libsql/*', './apart/*'],
    plugins: [lean(outdir)],
  });
  const entryPoints = Object.fromEntries(Object.keys(APART).map((name) => [fileName(name), name]));
  const apart = await build({ ...COMMON, entryPoints, outdir: `${outdir}/apart` });
  return [main, apart].flatMap(({ metafile }) => bundledFiles(metafile as Metafile));
}

function bundledFiles({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

function fileName(packageName: string): string {
  return packageName.replace('@', '').replace('/', '-');
}

const lean = (outdir: string): Plugin => ({
  name: 'lean',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED_BY_OCLIF }, ({ path, importer }) =>
      importer.includes('@oclif') ? { path, namespace: 'unused' } : undefined,
    );
    onResolve({ filter: /^(?:@neon-rs\/load|detect-libc)$/ }, () => ({ path: NATIVE_TARGET }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));

    onLoad({ filter: /cli-spinners[/\\]spinners\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(JSON.parse(await readFile(path, 'utf8')), ['frames', ...SPINNERS_OF_OCLIF]),
      loader: 'json',
    }));

    onLoad({ filter: JSON_APART }, async ({ path }) => {
      const name = relative(ROOT, path).replaceAll(sep, '-');
      await mkdir(join(outdir, 'apart'), { recursive: true });
      await writeFile(join(outdir, 'apart', name), JSON.stringify(JSON.parse(await readFile(path, 'utf8'))));
      return { contents: `module.exports = require('./apart/${name}');` };
    });

    onLoad({ filter: /@oclif[/\\]core[/\\]lib[/\\]command\.js$/ }, async ({ path }) => ({
      contents: withoutStdoutListener(await readFile(path, 'utf8')),
    }));

    onResolve({ filter: /^[^.]/ }, ({ path, namespace }) =>
      Object.hasOwn(APART, path) && namespace !== 'apart' ? { path, namespace: 'apart' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'apart' }, ({ path }) => ({
      contents: [
        `const apart = require('./apart/${fileName(path)}.cjs');`,
        ...(APART[path] ?? []).map((name) =>
          name === 'default'
            ? 'export default apart.default ?? apart;'
            : `export const ${name} = apart.${name};`,
        ),
      ].join('\n'),
    }));
  },
});

/** oclif throws errors of stdout (a full disk) where nothing can catch them; our streams reject the write instead. */
function withoutStdoutListener(source: string): string {
  const listener = /^process\.stdout\.on\('error', [\s\S]*?^\}\);$/m;
  if (!listener.test(source)) throw new Error("oclif's listener on stdout is not where it was");
  return source.replace(listener, '');
}
