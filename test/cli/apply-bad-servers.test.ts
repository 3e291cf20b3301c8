import assert from 'node:assert/strict';
import {
  asTheDatabaseSays,
  type Figures,
  labOf,
  livedThrough,
  type Opening,
  onBadServer,
  settledOneByOne,
} from './bad-servers.ts';

const LISTINGS = 24;

describe('jobs apply, on a server that does harm to a fifth of the calls, makes each job once', () => {
  it('created, changed, published and closed, where calls fail and are dropped', async () => {
    assertHarmed(await livedThrough(LISTINGS, (set) => labOf(set, 7)));
  });

  it('where it knows no keys and lists no jobs: nothing is offered that would make one twice', async () => {
    const bare: Opening = (set) => labOf(set, 7, '--no-idempotency', '--no-list');
    const told = await onBadServer(LISTINGS, bare, (set) => settledOneByOne(set, asTheDatabaseSays));
    assertHarmed(told);
  });
});

function assertHarmed({ harm, jobs }: Figures): void {
  assert.ok(harm > LISTINGS / 5, `only ${harm} calls came to harm`);
  assert.ok(jobs >= LISTINGS);
}
