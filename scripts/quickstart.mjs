// `npm run quickstart` creates and publishes the example listings on the bundled engine, in a temporary directory.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'partner-quickstart-'));
const env = {
  ...process.env,
  PARTNER_DATA_DIR: join(scratch, 'data'),
  PARTNER_CONFIG_DIR: join(scratch, 'config'),
};
for (const name of ['PARTNER_PROFILE', 'PARTNER_BASE_URL', 'PARTNER_API_KEY', 'PARTNER_API_KEY_FILE'])
  delete env[name];

/** Prints a command and runs it. With `keep`, returns its JSON output instead of printing it. */
function partner(words, { keep = false } = {}) {
  console.log(`$ partner ${words.join(' ')}`);
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'bin/run.js'), ...words], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', keep ? 'pipe' : 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`partner ${words[0]} ${words[1]} exited with code ${status}`);
  if (keep) return JSON.parse(stdout);
  console.log();
}

try {
  if (!existsSync(join(root, 'dist/partner.cjs'))) {
    spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  }
  partner(['jobs', 'validate', 'examples/jobs']);
  const ids = readdirSync(join(root, 'examples/jobs'))
    .sort()
    .map((file) => String(partner(['jobs', 'create', `examples/jobs/${file}`, '--json'], { keep: true }).id));
  console.log();
  partner(['dashboard', 'accept-terms']);
  partner(['dashboard', 'add-card']);
  partner(['jobs', 'publish', ...ids]);
  partner(['jobs', 'list', '--status', 'ACTIVE', '--columns', 'id,status,title,where,bid']);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
