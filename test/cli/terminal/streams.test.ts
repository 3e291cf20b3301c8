import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { applyStreamFlags, processStreams, wantsColour } from '../../../src/cli/terminal/streams.ts';

interface Setting {
  readonly env?: Record<string, string>;
  readonly terminals?: readonly number[];
  readonly columns?: number;
}

function streamsOf({ env = {}, terminals = [0, 1, 2], columns = 120 }: Setting) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const process = {
    env,
    stdin,
    stdout: Object.assign(stdout, { columns }),
    stderr: Object.assign(stderr, { columns }),
  } as unknown as NodeJS.Process;
  const streams = processStreams(process, (descriptor) => terminals.includes(descriptor));
  return Object.assign(streams, { stdout });
}

describe('whether to colour', () => {
  it('is the terminal’s to say, and TERM=dumb says no', () => {
    assert.equal(wantsColour(true, {}), true);
    assert.equal(wantsColour(false, {}), false);
    assert.equal(wantsColour(true, { TERM: 'dumb' }), false);
  });

  it('is no under NO_COLOR, unless that is empty', () => {
    assert.equal(wantsColour(true, { NO_COLOR: '1' }), false);
    assert.equal(wantsColour(true, { NO_COLOR: '' }), true);
  });

  it('is decided by FORCE_COLOR before everything else', () => {
    assert.equal(wantsColour(false, { FORCE_COLOR: '1' }), true);
    assert.equal(wantsColour(false, { FORCE_COLOR: '', NO_COLOR: '1', TERM: 'dumb' }), true);
    assert.equal(wantsColour(true, { FORCE_COLOR: '0' }), false);
    assert.equal(wantsColour(true, { FORCE_COLOR: 'false' }), false);
  });
});

describe('whether somebody can be asked', () => {
  it('is yes with a terminal on stdin and stderr, wherever stdout leads', () => {
    assert.equal(streamsOf({ terminals: [0, 2] }).canAsk, true);
    assert.equal(streamsOf({ terminals: [1, 2] }).canAsk, false);
    assert.equal(streamsOf({ terminals: [0, 1] }).canAsk, false);
  });

  it('is no under CI and on a dumb terminal', () => {
    assert.equal(streamsOf({ env: { CI: 'true' } }).canAsk, false);
    assert.equal(streamsOf({ env: { CI: '1' } }).canAsk, false);
    assert.equal(streamsOf({ env: { TERM: 'dumb' } }).canAsk, false);
    for (const CI of ['', '0', 'false', 'FALSE']) assert.equal(streamsOf({ env: { CI } }).canAsk, true);
  });

  it('is no under --json and --no-input, not under --quiet', () => {
    const streams = streamsOf({});
    assert.equal(applyStreamFlags(streams, {}).canAsk, true);
    assert.equal(applyStreamFlags(streams, { json: true }).canAsk, false);
    assert.equal(applyStreamFlags(streams, { 'no-input': true }).canAsk, false);
    assert.equal(applyStreamFlags(streams, { quiet: true }).canAsk, true);
  });
});

describe('whether a spinner is shown', () => {
  it('is yes on a terminal, no in a pipe, under CI, TERM=dumb, --json and --quiet', () => {
    const streams = streamsOf({ terminals: [2] });
    assert.equal(streams.showsProgress, true);
    assert.equal(applyStreamFlags(streams, { json: true }).showsProgress, false);
    assert.equal(applyStreamFlags(streams, { quiet: true }).showsProgress, false);
    assert.equal(streamsOf({ terminals: [0, 1] }).showsProgress, false);
    assert.equal(streamsOf({ env: { CI: 'true' } }).showsProgress, false);
    assert.equal(streamsOf({ env: { TERM: 'dumb' } }).showsProgress, false);
    assert.equal(streamsOf({ columns: 0 }).showsProgress, false);
  });
});

describe('the streams of one command line', () => {
  it('leave stdin unopened', () => {
    const process = {
      env: {},
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      get stdin(): never {
        throw new Error('stdin was opened');
      },
    } as unknown as NodeJS.Process;
    const streams = applyStreamFlags(
      processStreams(process, () => true),
      { quiet: true },
    );
    assert.throws(() => streams.stdin, /stdin was opened/);
  });
});

describe('how wide the output may be', () => {
  it('is the terminal’s width, 80 where it does not know it, and anything in a pipe', () => {
    assert.equal(streamsOf({}).columns, 120);
    assert.equal(streamsOf({ columns: 0 }).columns, 80);
    assert.equal(streamsOf({ terminals: [2] }).columns, Number.POSITIVE_INFINITY);
    assert.equal(streamsOf({ terminals: [2] }).columnsErr, 120);
  });
});

/** Reads until nothing is left, because a read returns only the first chunk on Node 26. */
function readAll(stream: PassThrough): string {
  let text = '';
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += chunk;
  return text;
}

describe('what goes out', () => {
  const KEY = 'sk_ext_0123456789abcdefghijklmnop';
  const written = async (env: Record<string, string>, verbatim?: 'key' | 'runner-commands') => {
    const streams = streamsOf({ env, terminals: [] });
    const text = `::error::${KEY}\n \x1b[31m::set-output name=a::b ##[add-mask]c\n`;
    await streams.writeOut(text, verbatim);
    await streams.writeErr(text, verbatim);
    streams.stderr.write('::by a question');
    return [streams.stdout, streams.stderr].map((stream) => readAll(stream as unknown as PassThrough));
  };
  const MASKED = 'sk_ext_…mnop';

  it('shows no key, wherever it came from, but where the key is what was asked for', async () => {
    const [out, err] = await written({});
    assert.equal(out, `::error::${MASKED}\n \x1b[31m::set-output name=a::b ##[add-mask]c\n`);
    assert.equal(err, `${out}::by a question`);
    assert.match((await written({}, 'key')).join(), new RegExp(`${KEY}.*${KEY}`, 's'));
  });

  for (const runner of ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'])
    it(`is no command to the runner that sets ${runner}, but where that is meant`, async () => {
      const env = { [runner]: 'true' };
      const [out, err] = await written(env);
      assert.equal(out, `: :error::${MASKED}\n \x1b[31m: :set-output name=a::b # #[add-mask]c\n`);
      assert.equal(err, `${out}: :by a question`);
      assert.match((await written(env, 'runner-commands')).join(), /^::error::sk_ext_…mnop$/m);
    });
});
