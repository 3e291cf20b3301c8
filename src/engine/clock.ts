import { PartnerError } from '../contract/errors.ts';
import type { Store } from './store/store.ts';
import { isoTime } from './time.ts';

/** The engine's time: the machine's, moved by what its operator has set. It runs on from there. */
export interface EngineClock {
  /** Now, in epoch ms, as far as this process knows. */
  readonly now: () => number;
  /** How far it is ahead of the machine's, in ms. */
  readonly offsetMs: () => number;
  /** Learns what another process may have set. */
  refresh(): Promise<void>;
  /** Throws USAGE for a time outside the years 1970 to 9998. */
  advance(ms: number): Promise<void>;
  /** Throws as `advance` does. */
  set(time: number): Promise<void>;
  reset(): Promise<void>;
}

/** Windows and listings end after they begin: there has to be time left for that. */
const LATEST = Date.UTC(9998, 11, 31);

export async function openClock(store: Store, machine: () => number): Promise<EngineClock> {
  let offsetMs = await store.read.clock.offsetMs();
  const put = async (next: number): Promise<void> => {
    const time = machine() + next;
    if (!(time >= 0 && time <= LATEST)) {
      throw new PartnerError('USAGE', {
        message: `the clock cannot be moved there: it goes from ${isoTime(0)} to ${isoTime(LATEST)}`,
      });
    }
    await store.write(({ clock }) => clock.setOffsetMs(next));
    offsetMs = next;
  };
  return {
    now: () => machine() + offsetMs,
    offsetMs: () => offsetMs,
    async refresh() {
      offsetMs = await store.read.clock.offsetMs();
    },
    advance: (ms) => put(offsetMs + ms),
    set: (time) => put(Math.round(time - machine())),
    reset: () => put(0),
  };
}
