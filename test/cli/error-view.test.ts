import assert from 'node:assert/strict';
import { bugReport, errorText } from '../../src/cli/failure.ts';
import { viewOfErr } from '../../src/cli/terminal/view.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import { fakeStreams } from './terminal/fake-streams.ts';

const mend = (field: string) => (field === 'bidPerQualifiedApplicantCents' ? '--bid-cents' : undefined);
const on = (columns: number, colour = false) =>
  viewOfErr(fakeStreams({ isTerminal: true, columns, colour }), 0, mend);

const incomplete = new PartnerError('VALIDATION_FAILED', {
  message: 'the listing is incomplete',
  fields: {
    title: 'is required to publish',
    bidPerQualifiedApplicantCents: 'must be more than 0 to publish',
  },
  hint: 'mend both, then publish again',
});

describe('an error for people', () => {
  it('says what is wrong, field by field with what mends it, and what to do next', () =>
    assert.equal(
      errorText(incomplete, on(120)),
      `error: the listing is incomplete
  title                          is required to publish
  bidPerQualifiedApplicantCents  must be more than 0 to publish (--bid-cents)
→ mend both, then publish again
`,
    ));

  it('lets no escape sequence of a server’s text through', () => {
    const evil = new PartnerError('VALIDATION_FAILED', {
      message: '\x1b[2Jgone\u202e',
      fields: { 'a\x1b]0;x\x07b': '\x9b1mwrong\nsecond line' },
      hint: 'look\x07',
    });
    assert.equal(errorText(evil, on(80)), 'error: gone\n  ab  wrong second line\n→ look\n');
  });
});

describe('the report of a bug', () => {
  const FLAGS = ['--title', 'Secret title', '--bid-cents=1500', '-q', '--', '-x'];
  const report = (error: unknown) =>
    bugReport(error, ['jobs', 'create', 'secret-file.json', ...FLAGS], 'other secret key');

  it('holds no key, wherever one stands in the error', () => {
    const cause = new Error('bad header sk_ext_secretsecret');
    const said = report(new Error('outer other%20secret%20key', { cause }));
    assert.doesNotMatch(said, /secret/i);
    assert.match(said, /caused by:\nError: bad header sk_ext_…/);
  });

  it('shows the bug itself where an error of ours only wraps it', () => {
    const said = report(new PartnerError('UNEXPECTED', { cause: new RangeError('deep') }));
    assert.match(said, /^RangeError: deep$/m);
    assert.doesNotMatch(said, /PartnerError/);
  });

  it('lets no escape sequence of a message through', () =>
    assert.doesNotMatch(report(new Error('\x1b[2J\u202e')), /[\x1b\u202e]/));
});
