import { resolve, sep } from 'node:path';
import { PartnerError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/words.ts';
import type { LockHolder } from './lock.ts';
import type { LockWait } from './shared-state.ts';
import { type BulkState, formatState, stateDigest, textDigest } from './state.ts';
import type { StateStore } from './state-store.ts';

/** Moves a state, or finishes a move that was killed. Throws STATE_UNUSABLE, STATE_LOCKED and STATE_UNREACHABLE. */
export async function moveState(from: StateStore, open: () => StateStore, self: LockHolder, wait?: LockWait) {
  const to = open();
  const nothing = unmovable(`no state in ${from.name}.`);
  if (from.name === to.name) throw unmovable(`the state is already in ${to.name}.`);
  if ((await from.readState()) === undefined) throw nothing;
  const fromLock = await from.lock(self, wait);
  try {
    const state = await loadFinishedState(from);
    if (state === undefined) throw nothing;
    const rebase = createRebase(from.base, to.base);
    const text = formatState(rebaseState(state, rebase));
    await assertFree(to, text);
    const toLock = await to.lock(self, wait);
    try {
      await assertFree(to, text);
      await to.replaceState(text);
      const last = await from.readLastRun();
      if (last !== undefined) await to.writeLastRun({ ...last, failed: last.failed.map(rebase) });
      await to.save();
      if (stateDigest(await open().readState()) !== textDigest(text))
        throw unmovable(`${to.name} returned a different state than the one stored.`);
      await from.remove();
    } finally {
      await toLock.release();
    }
    return { from: from.name, to: to.name, listings: state.listings.size };
  } finally {
    await fromLock.release();
  }
}

async function loadFinishedState(store: StateStore): Promise<BulkState | undefined> {
  const state = await store.readState();
  if ((await store.readJournal(undefined, stateDigest(state))) === undefined) return state;
  const hint = 'finish it by running that `partner jobs apply` again, then move the state';
  throw unmovable(`${store.name} has an unfinished run.`, hint);
}

/** The same state may exist in both places, if a move was killed before it removed the old one. */
async function assertFree(to: StateStore, text: string): Promise<void> {
  const state = await loadFinishedState(to);
  if (state === undefined || stateDigest(state) === textDigest(text)) return;
  const listings = formatCount(state.listings.size, 'listing');
  const hint = 'compare the two with `partner state show`, and keep the one you need';
  throw unmovable(`${to.name} already has another state with ${listings} on ${state.server}.`, hint);
}

function unmovable(why: string, hint = 'list the states of this repository with `partner state list`') {
  return new PartnerError('STATE_UNUSABLE', { message: `${why} Nothing was moved`, hint });
}

function createRebase(from: string, to: string): (text: string) => string {
  const target = to.split(sep).filter(Boolean);
  return (text) => {
    if (from === to || /^stdin(?:$|#| key | opening )/.test(text)) return text;
    const [, up = '', down = ''] = /^((?:\.\.\/)*)(.*)$/s.exec(text) ?? [];
    const steps = [...resolve(from, up).split(sep).filter(Boolean), ...down.split('/')];
    const differs = target.findIndex((step, at) => step !== steps[at]);
    const common = differs === -1 ? target.length : differs;
    return [...target.slice(common).map(() => '..'), ...steps.slice(common)].join('/');
  };
}

function rebaseState(state: BulkState, rebase: (text: string) => string): BulkState {
  const { listings, creates } = state;
  return {
    ...state,
    creates: creates && new Map(Array.from(creates, ([name, count]) => [rebase(name), count])),
    listings: new Map(Array.from(listings, ([key, entry]) => [rebase(key), entry])),
  };
}
