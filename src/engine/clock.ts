import { PartnerError } from '../contract/errors.ts';
import { isoTime } from '../contract/time.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';
import { toWindowSpan } from './billing/charge.ts';
import { Remembered } from './store/remembered.ts';
import { type Store, settleExpiry } from './store/store.ts';

/** The time that all processes of a database share, plus an offset that the operator sets. */
export type EngineClock = Awaited<ReturnType<typeof openClock>>;

const LATEST = Date.UTC(9998, 11, 31);

/** Smaller clock differences are ignored, because they vary between measurements. */
const SKEW_IGNORED_MS = 1_000;
const SKEW_REPORTED_MS = 60_000;

export async function openClock(
  store: Store,
  machineClock: () => number,
  elapsedMs?: () => number,
  reportSkew?: (skewMs: number) => void,
) {
  const { machine, followServer } = createSharedTime(store, machineClock, elapsedMs, reportSkew);
  const remembered = new Remembered<number>(store, 1, elapsedMs);
  const readOffset = async () => {
    await followServer();
    return store.read.clock.offsetMs();
  };
  let offsetMs = await readOffset();
  /** Counts changes of the offset, because a read that started before a change must not undo it. */
  let moves = 0;
  const describeTime = (machineNow: number) => ({
    now: isoTime(machineNow + offsetMs),
    offsetMs,
    machineNow: isoTime(machineNow),
  });
  /** Reads and changes the offset in one transaction, so that concurrent changes add up. */
  const move = async (next: (offsetMs: number, machineNow: number) => number) => {
    const machineNow = machine();
    const moved = await store.write(async ({ clock, expiry }) => {
      await clock.lock();
      const from = await clock.offsetMs();
      const to = next(from, machineNow);
      const [before, after] = [machineNow + from, machineNow + to];
      if (!(after >= 0 && after <= LATEST)) {
        throw new PartnerError('USAGE', {
          message: `the clock must be set to a time from ${isoTime(0)} to ${isoTime(LATEST)}`,
        });
      }
      await clock.setOffsetMs(to);
      const [early, late] = before < after ? [before, after] : [after, before];
      return { before, after, to, ending: await expiry.countEnding(isoTime(early), isoTime(late)) };
    });
    offsetMs = moved.to;
    moves++;
    await settleExpiry(store, () => machine() + offsetMs, 0);
    const isAhead = moved.after > moved.before;
    return {
      ...describeTime(machineNow),
      before: isoTime(moved.before),
      expiredJobs: isAhead ? moved.ending : 0,
      revivedJobs: isAhead ? 0 : moved.ending,
      newWindows: BUDGET_WINDOWS.filter(
        (window) =>
          toWindowSpan(window, moved.before).startsAt !== toWindowSpan(window, moved.after).startsAt,
      ),
    };
  };
  return {
    now: () => machine() + offsetMs,
    machine,
    /** Loads an offset that another process set. Returns undefined if the cached one is still valid. */
    refresh(): Promise<void> | undefined {
      if (remembered.get('offset') !== undefined) return undefined;
      const begunAt = moves;
      return remembered.read('offset', readOffset).then((read) => {
        if (moves === begunAt) offsetMs = read;
      });
    },
    state: () => describeTime(machine()),
    /** `advance` and `set` throw USAGE for a time outside the years 1970 to 9998. */
    advance: (ms: number) => move((from) => from + ms),
    set: (time: number) => move((_, machineNow) => Math.round(time - machineNow)),
    reset: () => move(() => 0),
  };
}

/** Returns the time that all processes of a database share. If this machine's clock is off, it's the server's time. */
function createSharedTime(
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
