import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin, type PluginBuild } from 'esbuild';

/** Large packages that few commands need, with the exports used. Each is a file in `dist/apart`, loaded on demand. */
export const APART: Readonly<Record<string, readonly string[]>> = {
  undici: ['Agent', 'EnvHttpProxyAgent', 'buildConnector'],
  inquirer: ['default'],
  '@inquirer/core': ['createPrompt', 'useEffect', 'useKeypress', 'usePagination', 'usePrefix', 'useState'],
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
  conf: ['default'],
  pg: ['Client', 'Pool', 'types'],
  pino: ['destination', 'pino', 'stdTimeFunctions'],
  'prom-client': ['Counter', 'Gauge', 'Histogram', 'Registry', 'collectDefaultMetrics'],
};

/** Large lists that few commands need. Each stays a JSON file in `dist/apart`, parsed when it's first used. */
const JSON_APART =
  /src[/\\](?:import[/\\]facts[/\\]words|listings[/\\]vocabulary[/\\](?:labels|table-words|values)|places[/\\]decide[/\\](?:districts|subdivisions|words)|contract[/\\]openapi-frame)\.json$/;

/** oclif imports these for plugins and templates, which this CLI doesn't have. */
const UNUSED_BY_OCLIF = /^(?:tinyglobby|minimatch|lilconfig|ejs)$/;
/** oclif imports these when it loads, but most commands never use them. */
const LATE_IN_OCLIF =
  /^(?:node:(?:child_process|fs\/promises|perf_hooks|readline)|\.[./]*\/(?:help|ux)(?:\/(?:index|theme))?)$/;
/** conf needs ajv only for schemas, which the CLI doesn't pass. when-exit would end the process on Ctrl-C. */
const UNUSED_BY_CONF = /^(?:ajv\/dist\/2020\.js|ajv-formats|when-exit)$/;
/** The two spinners that oclif needs when it loads. The bundle omits about ninety others. */
const SPINNERS_OF_OCLIF = ['dots2', 'line'];
/** Names that are used from JSON files of packages. */
const JSON_USED = [
  [/cli-spinners[/\\]spinners\.json$/, ['frames', ...SPINNERS_OF_OCLIF]],
  [/@oclif[/\\]core[/\\]package\.json$/, ['name', 'version']],
] as const;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NATIVE_TARGET = fileURLToPath(new URL('./native-target.cjs', import.meta.url));

const COMMON: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minify: true,
  legalComments: 'linked',
  // Turns `import()` into `require`, because a script from V8's code cache can't use `import()`.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
  outExtension: { '.js': '.cjs' },
  logLevel: 'warning',
  metafile: true,
};

/**
 * Bundles into one CommonJS file, which V8 can cache in compiled form. A dynamic import runs its module on first use.
 * Returns the source files that the bundles contain.
 */
export async function bundle(entry: string, outdir: string): Promise<string[]> {
  const main = await build({
    ...COMMON,
    entryPoints: { partner: entry },
    outdir,
    external: ['@libsql/*', './apart/*'],
    plugins: [lean(outdir)],
  });
  await escapeNonAscii(join(outdir, 'partner.cjs'));
  const entryPoints = Object.fromEntries(Object.keys(APART).map((name) => [fileName(name), name]));
  const apart = await build({
    ...COMMON,
    entryPoints,
    outdir: `${outdir}/apart`,
    plugins: [safeConf, statedAssertions],
  });
  return [main, apart].flatMap(({ metafile }) => bundledFiles(metafile as Metafile));
}

/** esbuild doesn't escape regular expressions, but `bin/load.js` reads Latin-1, because that's faster than UTF-8. */
async function escapeNonAscii(path: string): Promise<void> {
  const source = await readFile(path, 'utf8');
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  await writeFile(path, source.replace(/[^\0-\x7f]/g, escapeUnit), 'latin1');
}

function bundledFiles({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && !path.startsWith('late:'))
    .map(([path]) => path);
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
    onResolve({ filter: LATE_IN_OCLIF }, ({ path, importer, resolveDir }) =>
      importer.includes('@oclif')
        ? { path: path.startsWith('.') ? join(resolveDir, path) : path, namespace: 'late' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require(${JSON.stringify(path)})[name] });`,
      resolveDir: ROOT,
    }));
    onResolve({ filter: /^(?:@neon-rs\/load|detect-libc)$/ }, () => ({ path: NATIVE_TARGET }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));

    for (const [filter, names] of JSON_USED)
      onLoad({ filter }, async ({ path }) => ({
        contents: JSON.stringify(JSON.parse(await readFile(path, 'utf8')), [...names]),
        loader: 'json',
      }));

    onLoad({ filter: JSON_APART }, async ({ path }) => {
      const name = relative(ROOT, path).replaceAll(sep, '-');
      await mkdir(join(outdir, 'apart'), { recursive: true });
      await writeFile(join(outdir, 'apart', name), JSON.stringify(JSON.parse(await readFile(path, 'utf8'))));
      // Avoids `require`, because it would search for the file first.
      const read = `require('node:fs').readFileSync(__dirname + '/apart/${name}', 'utf8')`;
      return { contents: `module.exports = JSON.parse(${read});` };
    });

    // oclif throws stdout errors, such as a full disk, where nothing can catch them. The CLI's streams reject the write.
    patch(onLoad, /@oclif[/\\]core[/\\]lib[/\\]command\.js$/, [
      /^process\.stdout\.on\('error', [\s\S]*?^\}\);$/m,
      '',
    ]);

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

const safeConf: Plugin = {
  name: 'safe-conf',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED_BY_CONF }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = () => {};' }));
    // In the terminal of a snap, such as VS Code, conf would overwrite the file in place and keep its old mode.
    patch(onLoad, /[/\\]conf[/\\]dist[/\\]source[/\\]index\.js$/, ['process.env.SNAP', 'false']);
    // On a nearly full disk, a single write can store only part of the data, and that part would replace the file.
    patch(onLoad, /[/\\]atomically[/\\]dist[/\\]index\.js$/, [
      'fs.retry.writeSync(retryOptions)(fd, data, 0, options.encoding || DEFAULT_ENCODING)',
      "require('node:fs').writeFileSync(fd, data)",
    ]);
    // Removes the temporary file of a failed write synchronously, because the process may exit before.
    patch(onLoad, /[/\\]atomically[/\\]dist[/\\]utils[/\\]temp\.js$/, [
      'fs.attempt.unlink(filePath)',
      'fs.attempt.unlinkSync(filePath)',
    ]);
  },
};

/** If a failed assertion has no message, Node parses the minified file, which takes a second of CPU time. */
const statedAssertions: Plugin = {
  name: 'stated-assertions',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:assert$/ }, ({ path, importer }) =>
      /[/\\]undici[/\\]/.test(importer) ? { path, namespace: 'stated' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'stated' }, () => ({
      contents:
        "const assert = require('node:assert'); module.exports = (value, message = 'assertion failed') => assert(value, message);",
    }));
  },
};

/** Replaces a part of a package's source. Fails the build if a new version no longer has it. */
function patch(onLoad: PluginBuild['onLoad'], filter: RegExp, [part, by]: [string | RegExp, string]): void {
  onLoad({ filter }, async ({ path }) => {
    const source = await readFile(path, 'utf8');
    const contents = source.replace(part, () => by);
    if (contents === source) throw new Error(`can't patch ${path}: it no longer contains ${part}`);
    return { contents };
  });
}
