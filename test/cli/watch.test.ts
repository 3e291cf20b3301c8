import assert from 'node:assert/strict';
import { realServers } from '../client/real-server.ts';
import { LIVE_JOB } from '../commands/jobs/sample-job.ts';
import { withDrafts, withLiveJob } from './homes.ts';
import { newHome } from './partner.ts';
import { answering, callsTo } from './servers.ts';
import { terminals } from './terminal.ts';

const OFTEN = ['--every', '20ms'];

describe('`jobs watch`', () => {
  const servers = realServers('each test');
  const openTerminal = terminals();

  const servingJobs = async (answers: readonly (object | number)[]): Promise<Record<string, string>> => {
    let looks = 0;
    const server = await servers.listen((arrived, ...io) => {
      const answer = answers[Math.min(looks++, answers.length - 1)];
      const error = { code: answer === 404 ? 'NOT_FOUND' : 'INTERNAL', message: 'no' };
      const send =
        typeof answer === 'number'
          ? answering(answer, { error })
          : answering(200, { ...LIVE_JOB, ...answer });
      send(arrived, ...io);
    });
    return callsTo(server);
  };

  it('says each change on stderr as it comes, and shows the job when it is over', async () => {
    const env = await servingJobs([{}, { title: 'Night nurse' }, { title: 'Night nurse', status: 'CLOSED' }]);
    const { code, stdout, stderr } = await (await newHome()).run(['jobs', 'watch', '12', ...OFTEN], { env });
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^job 12 is ACTIVE\n[\d:]{8} UTC {2}title Registered Nurse, Night Shift → Night nurse\n[\d:]{8} UTC {2}status ACTIVE → CLOSED\n$/,
    );
    assert.match(stdout, /^Night nurse\njob 12 · CLOSED\n/);
  });

  it('waits for a server that is away for a moment, and ends where the job is gone', async () => {
    const env = await servingJobs([{}, 503, 503, 503, 503, { status: 'PAUSED' }, 404]);
    const { code, stderr } = await (await newHome()).run(['jobs', 'watch', '12', ...OFTEN], { env });
    assert.equal(code, 7, stderr);
    assert.match(
      stderr,
      /can't read the job: .*\. Retrying\n.*can be read again\n.*status ACTIVE → PAUSED\nerror: /,
    );
  });

  it('ends with exit 6 where the state can no longer be reached, and with 8 where the time runs out', async () => {
    const home = await withDrafts();
    await home.must('dashboard accept-terms');
    const closed = { env: await servingJobs([{ status: 'CLOSED' }]) };
    const [never, late, ended] = await Promise.all([
      home.run(['jobs', 'watch', '12', '--until', 'ACTIVE', ...OFTEN], closed),
      home.run(['jobs', 'watch', '1', '--until', 'ACTIVE', '--for', '50ms', ...OFTEN]),
      home.run(['jobs', 'watch', '1', '--for', '50ms', ...OFTEN]),
    ]);
    assert.deepEqual([never.code, late.code, ended.code], [6, 8, 0]);
    assert.match(
      never.stderr,
      /job 12 is CLOSED and can't become ACTIVE\n→ copy it to a new draft with `partner jobs repost 12`/,
    );
    assert.match(ended.stdout, /job 1 · DRAFT/);
  });

  it('turns a spinner at a terminal, says above it what another window does, and leaves the line clean', async () => {
    const home = await withLiveJob();
    const terminal = await openTerminal({ home });
    await terminal.start('partner jobs watch 1 --every 100ms');
    await terminal.shows(/^job 1 is ACTIVE\n\S Checking every 100ms\. Press Ctrl-C to stop$/m);
    await home.must('jobs pause 1');
    await terminal.shows(/UTC {2}status ACTIVE → PAUSED\n\S Checking every 100ms/);
    const screen = await terminal.interrupt();
    assert.doesNotMatch(screen, /looking/);
    assert.match(screen, /status ACTIVE → PAUSED\n+error: interrupted\n\[exit 130\]/);
  });
});
