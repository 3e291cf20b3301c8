// `npm run docs` writes docs/commands (with oclif), docs/api.md and the tables in docs/import-fields.md.
// `-- --write` also updates the output that other documents quote. `-- --check` fails if any of these is outdated.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOPICS } from '../src/cli/help/topics.ts';
import { PACKAGE } from '../src/package.ts';
import { apiPage } from './api-page.ts';
import { commandManifest } from './manifest.ts';
import { checkQuotedOutput } from './quoted-output.ts';
import { checkSystemTables } from './system-tables.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = join(root, 'docs/commands');

const scratch = mkdtempSync(join(tmpdir(), 'partner-docs-'));
try {
  const written = await writePages(scratch);
  if (process.argv.includes('--check')) {
    const stale = [...new Set([...readdirSync(written), ...readdirSync(pages)])].filter(
      (page) => textOf(join(written, page)) !== textOf(join(pages, page)),
    );
    if (stale.length > 0) {
      console.error(`docs/commands is outdated (${stale.join(', ')}). Run \`npm run docs\` to update it.`);
      process.exitCode = 1;
    }
  } else {
    rmSync(pages, { recursive: true, force: true });
    cpSync(written, pages, { recursive: true });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

const importPage = new URL('../docs/import-fields.md', import.meta.url);
if (!(await checkSystemTables(importPage, !process.argv.includes('--check')))) {
  console.error(
    'The tables in docs/import-fields.md are outdated or missing. Run `npm run docs` to update them.',
  );
  process.exitCode = 1;
}

const apiFile = new URL('../docs/api.md', import.meta.url);
if (!process.argv.includes('--check')) writeFileSync(apiFile, apiPage());
else if (textOf(fileURLToPath(apiFile)) !== apiPage()) {
  console.error('docs/api.md is outdated. Run `npm run docs` to update it.');
  process.exitCode = 1;
}

const isWriting = process.argv.includes('--write');
if (isWriting || process.argv.includes('--check')) {
  const { wrong, summary } = await checkQuotedOutput(isWriting);
  console.log(`quoted output: ${summary}`);
  if (wrong.length > 0) {
    console.error(
      `${wrong.join('\n')}\nThe documents quote outdated output. Run \`npm run docs -- --write\` to update them.`,
    );
    process.exitCode = 1;
  }
}

/** Runs `oclif readme` on a package that contains only a manifest. Returns the directory of the pages. */
async function writePages(folder: string): Promise<string> {
  const commands = (await commandManifest()).map((command) => ({
    ...command,
    // oclif prints a custom usage line unchanged, so it must include the command's name.
    usage: command.usage && `${String(command.id).replaceAll(':', ' ')} ${command.usage}`,
    pluginName: PACKAGE.name,
    pluginAlias: PACKAGE.name,
    pluginType: 'core',
  }));
  const oclif = {
    ...PACKAGE.oclif,
    commands: { strategy: 'explicit', target: './commands.js' },
    topics: Object.fromEntries(
      Object.entries(TOPICS).map(([name, description]) => [name.replaceAll(' ', ':'), { description }]),
    ),
  };
  const manifest = {
    version: PACKAGE.version,
    commands: Object.fromEntries(commands.map((each) => [each.id, each])),
  };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...PACKAGE, repository: 'partner/partner', oclif }),
  );
  writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'README.md'), '<!-- commands -->\n<!-- commandsstop -->\n');
  mkdirSync(join(folder, 'docs'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const readme = ['readme', '--multi', '--output-dir', 'docs/commands', '--no-aliases'];
  execFileSync('npx', ['oclif', ...readme], {
    cwd: folder,
    env: { ...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(folder, 'docs/commands');
}

/** Returns undefined if the page doesn't exist. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
