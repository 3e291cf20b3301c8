/** Benchmarks by name, for `npm run bench -- NAME`. Each one is loaded only if it runs. */
const BENCHES: Readonly<Record<string, () => Promise<{ bench(): Promise<void> }>>> = {
  start: () => import('./start.ts'),
  bulk: () => import('./bulk.ts'),
  applications: () => import('./applications.ts'),
  list: () => import('./list.ts'),
  hold: () => import('./hold.ts'),
  import: () => import('./import.ts'),
  serve: () => import('./serve.ts'),
  million: () => import('./million.ts'),
};

const name = process.argv[2] ?? '';
const load = BENCHES[name];
if (load === undefined) {
  console.error(`Usage: npm run bench -- NAME\nBenchmarks: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
} else {
  await (await load()).bench();
}
