import { PartnerError } from '../contract/errors.ts';
import { isoTime } from '../contract/time.ts';
import { BUDGET_WINDOWS, type BudgetWindow } from '../contract/values.ts';
import { windowAt } from './billing/windows.ts';
import type { Store } from './store/store.ts';

/** What the engine's time is. */
interface ClockState {
  readonly now: string;
  /** How far it is ahead of the machine's, in ms; below zero where it is behind. */
  readonly offsetMs: number;
  readonly machineNow: string;
}

/** What became of things when the clock was moved. */
interface ClockMove extends ClockState {
  /** What the time was just before. */
  readonly before: string;
  /** How many jobs are EXPIRED that were not. */
  readonly expiredJobs: number;
  /** How many are not EXPIRED any more: the clock went back over their end. */
  readonly revivedJobs: number;
  /** The windows of budgets that are others than before. */
  readonly newWindows: readonly BudgetWindow[];
}

/** The engine's time: the machine's, moved by what its operator has set. It runs on from there. */
export interface EngineClock {
  /** Now, in epoch ms, as far as this process knows. */
  readonly now: () => number;
  /** Learns what another process may have set. */
  refresh(): Promise<void>;
  state(): ClockState;
  /** Throws USAGE for a time outside the years 1970 to 9998. */
  advance(ms: number): Promise<ClockMove>;
  /** Throws as `advance` does. */
  set(time: number): Promise<ClockMove>;
  /** Takes the machine's time again. */
  reset(): Promise<ClockMove>;
}

/** Windows and listings end after they begin: there has to be time left for that. */
const LATEST = Date.UTC(9998, 11, 31);

export async function openClock(store: Store, machine: () => number): Promise<EngineClock> {
  let offsetMs = await store.read.clock.offsetMs();
  const stateAt = (machineNow: number): ClockState => ({
    now: isoTime(machineNow + offsetMs),
    offsetMs,
    machineNow: isoTime(machineNow),
  });
  /** In one transaction: of two that move the clock at once, one goes on from where the other has put it. */
  const move = async (next: (offsetMs: number, machineNow: number) => number): Promise<ClockMove> => {
    const machineNow = machine();
    const moved = await store.write(async ({ clock, jobs }) => {
      await clock.lock();
      const from = await clock.offsetMs();
      const to = next(from, machineNow);
      const [before, after] = [machineNow + from, machineNow + to];
      assertReachable(after);
      await clock.setOffsetMs(to);
      const was = await jobs.countByStatus(before);
      const is = await jobs.countByStatus(after);
      return { before, after, to, expired: (is.EXPIRED ?? 0) - (was.EXPIRED ?? 0) };
    });
    offsetMs = moved.to;
    return {
      ...stateAt(machineNow),
      before: isoTime(moved.before),
      expiredJobs: Math.max(0, moved.expired),
      revivedJobs: Math.max(0, -moved.expired),
      newWindows: BUDGET_WINDOWS.filter(
        (window) => windowAt(window, moved.before).startsAt !== windowAt(window, moved.after).startsAt,
      ),
    };
  };
  return {
    now: () => machine() + offsetMs,
    async refresh() {
      offsetMs = await store.read.clock.offsetMs();
    },
    state: () => stateAt(machine()),
    advance: (ms) => move((from) => from + ms),
    set: (time) => move((_, machineNow) => Math.round(time - machineNow)),
    reset: () => move(() => 0),
  };
}

function assertReachable(time: number): void {
  if (time >= 0 && time <= LATEST) return;
  throw new PartnerError('USAGE', {
    message: `the clock cannot be moved there: it goes from ${isoTime(0)} to ${isoTime(LATEST)}`,
  });
}
