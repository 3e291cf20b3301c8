// `npm run snapshots` builds and updates test/snapshots. `npm run snapshots -- --check` compares the snapshots with the
// current build and prints the differences.
import { snapshotDifferences, writeSnapshots } from './snapshots/compare.ts';

if (process.argv.includes('--check')) {
  const differences = await snapshotDifferences();
  process.stderr.write(differences);
  if (differences !== '') process.exitCode = 1;
} else {
  await import('./build.ts');
  await writeSnapshots();
}
