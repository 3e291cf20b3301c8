import assert from 'node:assert/strict';
import {
  asOffered,
  asTheDatabaseSays,
  type Figures,
  labOf,
  livedThrough,
  lyingServerOf,
  type Opening,
  onBadServer,
  settledOneByOne,
} from './bad-servers.ts';

const LISTINGS = 24;

describe('jobs apply, on a server that does harm to a fifth of the calls, makes each job once', () => {
  it('created, changed, published and closed, where calls fail and are dropped', async () => {
    assertHarmed(await livedThrough(LISTINGS, (set) => labOf(set, 7)));
  });

  it('the same where answers are lies', async () => {
    assertHarmed(await livedThrough(LISTINGS, (set) => lyingServerOf(set, 7)));
  });

  it('where the server knows no keys: what is offered for each unknown outcome settles it', async () => {
    const keyless: Opening = (set) => labOf(set, 7, '--no-idempotency');
    assertHarmed(await onBadServer(LISTINGS, keyless, (set) => settledOneByOne(set, () => asOffered)));
  });

  it('where it lists no jobs either: nothing is offered that would make one twice', async () => {
    const bare: Opening = (set) => labOf(set, 7, '--no-idempotency', '--no-list');
    const told = await onBadServer(LISTINGS, bare, (set) => settledOneByOne(set, asTheDatabaseSays));
    assertHarmed(told);
  });
});

function assertHarmed({ harm, jobs }: Figures): void {
  assert.ok(harm > LISTINGS / 5, `only ${harm} calls came to harm`);
  assert.ok(jobs >= LISTINGS);
}
