import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fixture } from '../fixture.ts';
import { SpecUser } from '../spec-server/commands.ts';
import LISTING from '../spec-server/listing.json' with { type: 'json' };

async function lost(): Promise<SpecUser> {
  const user = await SpecUser.of({});
  await write(user, ['Nurse', 'Welder', 'Cook']);
  await user.ends(0, ['jobs', 'apply', 'set.json', '--state', 'state.json']);
  await rm(join(user.home.path, 'state.json'));
  return user;
}

const write = (user: SpecUser, titles: readonly string[]) =>
  user.home.file(
    'set.json',
    titles.map((title, index) => ({ ...LISTING, title, opportunityId: `req-${index}` })),
  );

const apply = (...flags: string[]) => ['jobs', 'apply', 'set.json', '--state=state.json', ...flags];

describe('a state that is lost, on a server that lists no jobs', () => {
  const user = fixture('each test', lost);
  afterEach(() => user.server.close());

  it('is noticed by the jobs made on this machine: nothing is made twice', async () =>
    await user.makes(0, async () => {
      const { stderr } = await user.ends(6, apply());
      assert.match(
        stderr,
        /identical jobs for 3 listings already exist on the server \(set\.json item \d "[\w ]+" is identical to job 500\d\)/,
      );
      assert.match(stderr, /--rebuild/);
    }));

  it('is rebuilt from them, also where a listing was changed since', async () => {
    await write(user, ['Nurse', 'Night welder', 'Cook', 'Driver']);
    await user.makes(1, () => user.ends(0, apply('--rebuild')));
    const expected = ['Cook', 'Driver', 'Night welder', 'Nurse'];
    assert.deepEqual(user.server.jobs.map(({ content }) => content.title).sort(), expected);
  });

  it('cannot be rebuilt where no job was made from this machine, and says how to go on', async () => {
    await rm(user.home.data, { recursive: true });
    await user.makes(0, async () => {
      const { stderr } = await user.ends(1, apply('--rebuild'));
      assert.match(stderr, /no jobs created from this machine are recorded/);
      assert.match(stderr, /--adopt KEY=ID/);
    });
  });
});
