// Creates, publishes and closes a listing with the current Node version: `node scripts/smoke-steps.mjs [PARTNER]`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const partner = process.argv[2] ?? fileURLToPath(new URL('../bin/run.js', import.meta.url));
const listing = fileURLToPath(new URL('../examples/jobs/electrician-austin.json', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'partner-smoke-'));
const env = {
  ...process.env,
  HOME: scratch,
  PARTNER_DATA_DIR: join(scratch, 'data'),
  PARTNER_CONFIG_DIR: join(scratch, 'config'),
};

/** Runs a command that must exit with `exit`. Returns the JSON document that it prints. */
function run(exit, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [partner, ...words, '--json'], {
    env,
    encoding: 'utf8',
  });
  assert.equal(status, exit, `partner ${words.join(' ')}: exit ${status}\n${stdout}${stderr}`);
  return JSON.parse(stdout);
}

try {
  assert.equal(run(0, 'version').node, process.version);
  run(0, 'jobs', 'validate', listing);
  assert.equal(run(0, 'locations', 'search', 'bost').items[0].city, 'Boston');
  const draft = run(0, 'jobs', 'create', listing);
  assert.equal(draft.status, 'DRAFT');
  const id = String(draft.id);
  assert.equal(run(5, 'jobs', 'publish', id).error.code, 'AGREEMENT_OUTDATED');
  run(0, 'dashboard', 'accept-terms');
  assert.equal(run(5, 'jobs', 'publish', id).error.code, 'PAYMENT_METHOD_REQUIRED');
  run(0, 'dashboard', 'add-card');
  assert.equal(run(0, 'jobs', 'publish', id).status, 'ACTIVE');
  assert.equal(run(0, 'jobs', 'update', id, '--title', 'Another title').title, 'Another title');
  assert.equal(run(0, 'jobs', 'close', id, '--yes').status, 'CLOSED');
  assert.equal(run(6, 'jobs', 'resume', id).error.code, 'INVALID_TRANSITION');
  assert.equal(run(0, 'jobs', 'list').items.length, 1);
  console.log(`Smoke test passed on Node ${process.version}.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
