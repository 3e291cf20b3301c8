import { PartnerError } from '../contract/errors.ts';
import { isoTime } from '../contract/time.ts';
import { BUDGET_WINDOWS } from '../contract/values.ts';
import { windowAt } from './billing/windows.ts';
import { settleExpiry } from './store/expiry.ts';
import { Remembered } from './store/remembered.ts';
import type { Store } from './store/store.ts';

/** The engine's time: the machine's, moved by what the operator has set. */
export type EngineClock = Awaited<ReturnType<typeof openClock>>;

const LATEST = Date.UTC(9998, 11, 31);

export async function openClock(store: Store, machine: () => number, elapsedMs?: () => number) {
  const remembered = new Remembered<number>(store, 1, elapsedMs);
  let offsetMs = await store.read.clock.offsetMs();
  /** A read that began before a move must not undo it. */
  let moves = 0;
  const stateAt = (machineNow: number) => ({
    now: isoTime(machineNow + offsetMs),
    offsetMs,
    machineNow: isoTime(machineNow),
  });
  /** In one transaction: of two moves at once, the second goes on from the first. */
  const move = async (next: (offsetMs: number, machineNow: number) => number) => {
    const machineNow = machine();
    const moved = await store.write(async ({ clock, expiry }) => {
      await clock.lock();
      const from = await clock.offsetMs();
      const to = next(from, machineNow);
      const [before, after] = [machineNow + from, machineNow + to];
      if (!(after >= 0 && after <= LATEST)) {
        throw new PartnerError('USAGE', {
          message: `the clock cannot be moved there: it goes from ${isoTime(0)} to ${isoTime(LATEST)}`,
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
      ...stateAt(machineNow),
      before: isoTime(moved.before),
      expiredJobs: isAhead ? moved.ending : 0,
      /** Not EXPIRED any more: the clock went back over their end. */
      revivedJobs: isAhead ? 0 : moved.ending,
      newWindows: BUDGET_WINDOWS.filter(
        (window) => windowAt(window, moved.before).startsAt !== windowAt(window, moved.after).startsAt,
      ),
    };
  };
  return {
    now: () => machine() + offsetMs,
    /** Follows what another process has set; undefined where what is known is still good. */
    refresh(): Promise<void> | undefined {
      if (remembered.get('offset') !== undefined) return undefined;
      const begunAt = moves;
      return remembered
        .read('offset', () => store.read.clock.offsetMs())
        .then((read) => {
          if (moves === begunAt) offsetMs = read;
        });
    },
    state: () => stateAt(machine()),
    /** These three throw USAGE for a time outside the years 1970 to 9998. */
    advance: (ms: number) => move((from) => from + ms),
    set: (time: number) => move((_, machineNow) => Math.round(time - machineNow)),
    reset: () => move(() => 0),
  };
}
