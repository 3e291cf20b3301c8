import assert from 'node:assert/strict';
import { fixture } from '../fixture.ts';
import { receiveApplications, withLiveJob } from './homes.ts';

interface Applications {
  readonly items: readonly {
    readonly id: number;
    readonly status: string;
    readonly error?: { code: string };
  }[];
}

describe('what people do in the dashboard, on the command line', () => {
  const home = fixture('all tests', withLiveJob);
  before(() => receiveApplications(home, 3));

  it('lists, accepts and rejects applications; several as transitions do, with what became of each', async () => {
    const { code, json } = await home.run('dashboard applications accept 1 99 2 --json');
    assert.equal(code, 9);
    const { items } = json() as {
      items: { id: number; application?: { status: string }; error?: { code: string } }[];
    };
    const became = items.map(({ id, application, error }) => `${id} ${application?.status ?? error?.code}`);
    assert.deepEqual(became, ['1 accepted', '99 NOT_FOUND', '2 accepted']);
    assert.equal((await home.must<{ status: string }>('dashboard applications reject 2')).status, 'rejected');
    assert.equal((await home.run('dashboard applications reject 98')).code, 7);
    const accepted = await home.must<Applications>('dashboard applications list --status accepted');
    const ids = accepted.items.map(({ id }) => id);
    assert.deepEqual(ids, [1]);
  });

  it('opens a job by listing what came to it: nothing of it is new any more', async () => {
    const fresh = async () =>
      (await home.must<{ newApplicantCount: number }>('jobs get 1')).newApplicantCount;
    await home.must('dashboard applications list');
    assert.equal(await fresh(), 3);
    const { items } = await home.must<Applications>('dashboard applications list --job 1 --limit 2');
    const listed = items.map(({ id }) => id);
    assert.deepEqual(listed, [3, 2]);
    assert.equal(await fresh(), 0);
    assert.equal((await home.run('dashboard applications list --job 99')).code, 7);
  });
});
