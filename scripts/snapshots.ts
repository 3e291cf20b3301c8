// `npm run snapshots` builds and writes test/snapshots anew; `npm run snapshots -- --check` compares what is built
// and says what differs.
import { snapshotDifferences, writeSnapshots } from './snapshots/compare.ts';

if (process.argv.includes('--check')) {
  const differences = await snapshotDifferences();
  process.stderr.write(differences);
  if (differences !== '') process.exitCode = 1;
} else {
  await import('./build.ts');
  await writeSnapshots();
}
