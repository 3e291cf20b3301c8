import assert from 'node:assert/strict';

/** The CPU time that this process takes for some work: on a busy machine the same as on an idle one. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Checks that eight times as much takes no more than some eight times the CPU time, and not its square. */
export async function assertLinear(size: number, work: (size: number) => unknown): Promise<void> {
  const few = await cpuMsOf(() => work(size / 8));
  const many = await cpuMsOf(() => work(size));
  assert.ok(many < 24 * few + 100, `${size / 8} take ${few} ms of CPU time, ${size} take ${many} ms`);
}
