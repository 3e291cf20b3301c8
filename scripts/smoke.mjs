// Runs smoke-steps.mjs on other Node versions, which npm's package `node` provides: `node scripts/smoke.mjs 22 24 26`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const steps = fileURLToPath(new URL('./smoke-steps.mjs', import.meta.url));
for (const line of process.argv.slice(2)) {
  const { status } = spawnSync('npx', ['--yes', '--package', `node@${line}`, 'node', steps], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
