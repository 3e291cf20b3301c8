import type { Store } from './store/store.ts';

/** Smaller clock differences are ignored, because they vary between measurements. */
const SKEW_IGNORED_MS = 1_000;
const SKEW_REPORTED_MS = 60_000;

/** Returns the time that all processes of a database share. If this machine's clock is off, it's the server's time. */
export function createSharedTime(
  store: Pick<Store, 'serverTime'>,
  machineClock: () => number,
  elapsedMs = () => performance.now(),
  reportSkew: (skewMs: number) => void = () => {},
) {
  let skewMs = 0;
  return {
    machine: () => machineClock() + skewMs,
    async followServer(): Promise<void> {
      const [askedAt, begunAt] = [machineClock(), elapsedMs()];
      const serverNow = await store.serverTime?.();
      if (serverNow === undefined) return;
      const tookMs = elapsedMs() - begunAt;
      const foundMs = Math.round(serverNow - askedAt - tookMs / 2);
      if (Math.abs(foundMs - skewMs) <= SKEW_IGNORED_MS + tookMs) return;
      skewMs = foundMs;
      if (Math.abs(skewMs) > SKEW_REPORTED_MS) reportSkew(skewMs);
    },
  };
}
