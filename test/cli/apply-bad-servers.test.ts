import assert from 'node:assert/strict';
import * as badServers from './bad-servers.ts';

const LISTINGS = 24;

describe('jobs apply, on a server that does harm to a fifth of the calls, makes each job once', () => {
  it('created, changed, published and closed, where calls fail and are dropped', async () =>
    assertHarmed(await badServers.livedThrough(LISTINGS, (set) => badServers.labOf(set, 7))));

  it('where it knows no keys and lists no jobs: nothing is offered that would make one twice', async () => {
    const bare: badServers.Opening = (set) => badServers.labOf(set, 7, '--no-idempotency', '--no-list');
    const told = await badServers.onBadServer(LISTINGS, bare, (set) =>
      badServers.settledOneByOne(set, badServers.asTheDatabaseSays),
    );
    assertHarmed(told);
  });
});

function assertHarmed({ harm, jobs }: badServers.Figures): void {
  assert.ok(harm > LISTINGS / 5, `only ${harm} calls came to harm`);
  assert.ok(jobs >= LISTINGS);
}
