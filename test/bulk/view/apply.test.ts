import assert from 'node:assert/strict';
import { type Applied, applyView } from '../../../src/bulk/view/apply.ts';
import { shellWord, viewOf } from '../../../src/cli/terminal/view.ts';
import { PartnerError } from '../../../src/contract/errors.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';

const on = (columns: number) => viewOf(fakeStreams({ isTerminal: true, columns }), 0);
const inPipe = viewOf(fakeStreams(), 0);
const WORDS = { summary: 'Apply: 1 created in 1.2 s', command: 'partner jobs apply jobs/' };

function outcome(key: string, given: Partial<Applied>): Applied {
  return { item: { key, notes: [] }, result: 'created', jobId: undefined, error: undefined, ...given };
}

const INCOMPLETE = new PartnerError('VALIDATION_FAILED', {
  message: 'the listing is incomplete',
  fields: { title: 'a live listing needs a title' },
  hint: 'set title',
});
const OUTCOMES: readonly Applied[] = [
  outcome('jobs/a.json', { jobId: 12 }),
  outcome('jobs/b.json', { result: 'failed', jobId: 13, error: INCOMPLETE }),
  outcome("jobs/it's.json#1", {
    result: 'unknown',
    error: new PartnerError('OUTCOME_UNKNOWN', { message: 'the connection broke' }),
  }),
  outcome('jobs/d.json', {
    result: 'held',
    jobId: 15,
    item: { key: 'jobs/d.json', notes: [{ code: 'CLOSED', message: 'the job was closed' }] },
  }),
  outcome('jobs/e.json', { result: 'left', error: new PartnerError('AGREEMENT_OUTDATED') }),
  outcome('jobs/f.json', { result: 'left', error: new PartnerError('AGREEMENT_OUTDATED') }),
  outcome('jobs/g.json', { result: 'left' }),
];

describe('what an apply has come to', () => {
  it('says of each listing that is not as wanted why, and what to type', () => {
    assert.equal(
      applyView(OUTCOMES, WORDS, on(90)),
      `Failed: 1
  jobs/b.json · job 13
     VALIDATION_FAILED: the listing is incomplete
     title: a live listing needs a title
     → set title

Held: 1
  jobs/d.json · job 15
     CLOSED: the job was closed

Outcome unknown: 1
  jobs/it's.json#1
     OUTCOME_UNKNOWN: the connection broke
     → the job exists: partner jobs apply jobs/ --adopt 'jobs/it'\\''s.json#1='ID
     → it does not:    partner jobs apply jobs/ --resend 'jobs/it'\\''s.json#1'

Not attempted: 3
  2  AGREEMENT_OUTDATED: publishing needs the current employer terms to be accepted, and
     they are not
  1  the run was stopped
  → accept the terms in the dashboard, then try again
  → then \`partner jobs apply jobs/\` does the rest

✗ Apply: 1 created in 1.2 s
`,
    );
  });

  it('says what is not all done of what is done: a refused publication, a frozen part', () => {
    const notes = [
      { code: 'FROZEN', message: 'its questions can no longer change', hint: 'take them out' } as const,
    ];
    const partly = [
      outcome('jobs/a.json', {
        result: 'updated',
        jobId: 12,
        error: new PartnerError('TIMED_OUT', { hint: 'again' }),
      }),
      outcome('jobs/b.json', { result: 'updated', jobId: 13, item: { key: 'jobs/b.json', notes } }),
      outcome('jobs/c.json', {
        item: { key: 'jobs/c.json', notes: [{ code: 'MOVED', message: 'it was b' }] },
      }),
    ];
    assert.equal(
      applyView(partly, WORDS, on(80)),
      `Not all as wanted: 2
  jobs/a.json · job 12
     TIMED_OUT: the call took too long
     → again
  jobs/b.json · job 13
     FROZEN: its questions can no longer change
     → take them out

✗ Apply: 1 created in 1.2 s
`,
    );
    assert.match(applyView(partly.slice(1), WORDS, on(80)), /✓ Apply/);
  });

  it('is a tab-separated row a listing in a pipe', () => {
    assert.equal(
      applyView(OUTCOMES.slice(0, 5), WORDS, inPipe),
      [
        'created\tjobs/a.json\t12\t\t',
        'failed\tjobs/b.json\t13\tVALIDATION_FAILED\tthe listing is incomplete',
        "unknown\tjobs/it's.json#1\t\tOUTCOME_UNKNOWN\tthe connection broke",
        'held\tjobs/d.json\t15\tCLOSED\tthe job was closed',
        'left\tjobs/e.json\t\tAGREEMENT_OUTDATED\tpublishing needs the current employer terms to be accepted, and they are not',
        '',
      ].join('\n'),
    );
  });

  it('keeps what a server writes in a message, its code or its fields from the terminal', () => {
    const error = new PartnerError('SERVER_FAILED', {
      message: 'a\tb\n\x1b[2Jc',
      serverCode: 'X\x1b[1mY',
      fields: { 'title\x1b[2J': '\u202egpj.exe' },
    });
    const hostile = [outcome('a\x1b[31m.json', { result: 'failed', error })];
    assert.equal(applyView(hostile, WORDS, inPipe), 'failed\ta.json\t\tXY\ta b c\n');
    assert.match(applyView(hostile, WORDS, on(80)), /a\.json\n {5}XY: a b c\n {5}title: gpj\.exe\n/);
  });
});

describe('a key as a word of a command line', () => {
  it('is what a shell takes for the key again', () => {
    assert.equal(shellWord('jobs/a-1.json'), 'jobs/a-1.json');
    assert.equal(shellWord('jobs/a b$(x).json'), "'jobs/a b$(x).json'");
    assert.equal(shellWord("a'\x1b[2J.json"), "$'a\\'\\u001b[2J.json'");
    assert.equal(shellWord('~/a.json'), "'~/a.json'");
  });
});
