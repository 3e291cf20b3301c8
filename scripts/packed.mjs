// Packs the package, installs the tarball in an empty directory and runs the smoke steps on what it installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const elsewhere = mkdtempSync(join(tmpdir(), 'partner-packed-'));
try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', elsewhere], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  const tarball = join(elsewhere, filename);
  console.log(`${filename}: ${(statSync(tarball).size / 1e6).toFixed(1)} MB`);
  writeFileSync(join(elsewhere, 'package.json'), '{"private": true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: elsewhere, stdio: 'inherit' });
  const partner = join(elsewhere, 'node_modules/.bin/partner');
  execFileSync(partner, ['version'], { cwd: elsewhere, stdio: 'inherit' });
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/smoke-steps.mjs'), partner], {
    cwd: elsewhere,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(elsewhere, { recursive: true, force: true });
}
