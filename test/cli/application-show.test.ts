import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture } from '../fixture.ts';
import { APPLICANT, withLiveJob } from './homes.ts';

const RESUME = 'Ada Byron, journeyman electrician';
/** An applicant could choose this name to pass for an option, a hidden file or a command. */
const NAMED = '-rf .ssh$(id).txt';

describe('an application, shown', () => {
  const home = fixture('all tests', withLiveJob);
  before(async () => {
    await home.must('budgets set 1 --daily-cents 3600 --replace');
    writeFileSync(join(home.path, NAMED), RESUME);
    await home.file('ada.json', { ...APPLICANT, firstName: 'Ada\u001b[31m', resume: NAMED });
    await home.must('engine apply 1 ada.json');
  });

  const show = (...argv: string[]) => home.run(['dashboard', 'applications', 'show', ...argv]);

  it('has each question with its answer, the qualifications met, the state and what it cost', async () => {
    const { stdout, code } = await show('1');
    assert.equal(code, 0);
    assert.match(stdout, /^Ada.*Byron\napplication 1 · pending · job 1 Journeyman electrician\n/);
    assert.match(stdout, /Which license do you hold\?\n +A\n/);
    assert.match(stdout, /Years since you were licensed\n +4\n/);
    assert.match(stdout, /✓ +Texas journeyman license \(required, met\)/);
    assert.match(stdout, /Qualified +yes\n +Cost +\$18\.00\n/);
    assert.ok(!stdout.includes('\u001b'), 'what an applicant has typed steers no terminal');
  });

  it('saves the resume under a name of our own, for its reader alone, and never in the place of another file', async () => {
    const directory = join(home.path, 'resumes');
    const { stdout, code } = await show('1', '--save-files', directory);
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(directory), ['application-1-resume.txt']);
    const path = join(directory, 'application-1-resume.txt');
    assert.ok(stdout.includes(`saved as ${path}`));
    assert.equal(readFileSync(path, 'utf8'), RESUME);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    writeFileSync(path, 'mine');
    const again = await show('1', '--save-files', directory);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /application-1-resume\.txt already exists/);
    assert.equal(readFileSync(path, 'utf8'), 'mine');
  });
});
