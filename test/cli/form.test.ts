import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../client/real-server.ts';
import {
  answer,
  answersOf,
  ENTER,
  LISTING,
  leftAtQuestions,
  NEXT,
  openForm,
  QUESTIONS,
  type Step,
} from './form-window.ts';
import { withCard, withEngine, withTerms } from './homes.ts';
import type { Home } from './partner.ts';
import { ENDED, type TerminalOptions, terminals } from './terminal.ts';

describe('the form of `jobs create`, at a terminal', () => {
  const openTerminal = terminals();

  const open = (home: Home, options?: TerminalOptions) => openForm(openTerminal, home, options);

  async function withAnswers(home: Home, content: object = LISTING): Promise<Home> {
    const asked = [
      ...['title', 'description', 'remoteOption', 'locations', 'jobType', 'jobLevel', 'salaryPeriod'],
      ...['salaryMin', 'salaryMax', 'bid', 'required', 'desired', 'questions', 'budgets', 'opportunityId'],
      'atsJobUrl',
    ];
    const answers = { content, given: [], asked };
    await home.file('data/form.json', { answers, keptAt: '2026-01-31T09:00:00.000Z' });
    return home;
  }

  it('leads from a title to a live job, and every answer is as it was meant', async () => {
    const home = await withCard();
    const window = await open(home);
    await window.start('partner jobs create');
    await answer(window, ...QUESTIONS.flat());
    const shown = await window.shows(NEXT);
    assert.match(shown, /✔ Pay from \$34\n✔ Pay up to \$46\n✔ Your bid \$18\.00\n/);
    assert.match(shown, /Complete and ready to publish/);
    assert.equal(statSync(answersOf(home)).mode & 0o777, 0o600);
    await answer(window, [/❯ create it as a draft/, 'publ'], [/❯ publish it now/, ENTER]);
    assert.match(await window.shows(ENDED), /^job 3 · ACTIVE[\s\S]*\[exit 0\]/m);
    assert.ok(!existsSync(answersOf(home)), 'the answers are done with');
    assert.deepEqual(await home.must('jobs export 3'), LISTING);
  });

  it('is left by Ctrl-C at any question, and goes on there with nothing lost', () =>
    leftAtQuestions(openTerminal, (index) => index % 8 === 0));

  it('asks for nothing that a flag has given, and says what is still missing', async () => {
    const window = await open(await withEngine());
    await window.start('partner jobs create --interactive --title Nurse --remote-option remote');
    await answer(window, [/^\? Description/m, 'skip'], [/❯ skip for now/, ENTER]);
    assert.doesNotMatch(await window.shows(/\? In which country/), /Title|Where is the work done/);
    for (const stands of [/In which country/, /What type/, /What level/, /the pay period/, /Your bid/])
      await answer(window, [stands, ENTER]);
    for (const stands of [/Required/, /Desired/, /Screening/, /Cap 1/, /Opportunity/, /ATS/])
      await answer(window, [new RegExp(`\\? ${stands.source}`), ENTER]);
    const shown = await window.shows(NEXT);
    assert.match(shown, /Required to publish: 9 fields/);
    assert.match(shown, /❯ fill in the missing fields\n- publish it now \(fill in 9 missing fields first\)/);
    await answer(window, [NEXT, ENTER]);
    await window.shows(/\? Description[^\n]*\n❯ write in sh written/);
  });

  it('goes back to the question before at any question, with the answers standing', async () => {
    const home = await withEngine();
    const window = await open(home);
    const back: Step = [/Esc: back/, ['Escape']];
    await window.start('partner jobs create --interactive');
    assert.doesNotMatch(await window.shows(/\? Title/), /Esc: back/, 'nothing is before the first one');
    await answer(window, [/\? Title/, 'Nurs', ENTER], [/\? Description/], back);
    await answer(window, [/\? Title[\s\S]*> \(Nurs\)/, ['Tab'], 'e', ENTER]);
    await answer(
      window,
      [/✔ Title Nurse[\s\S]*\? Description[^✔]*❯ write in/, 'skip'],
      [/❯ skip for now/, ENTER],
    );
    await answer(window, [/\? Where is the work/, 'in person'], [/❯ in person/, ENTER]);
    // Esc goes from a search to the choice before it.
    await answer(window, [/\? Where is the job\?[\s\S]*Esc back/, ['Escape']]);
    await answer(
      window,
      [/\? Where is the work[^✔]*❯ in person/, ENTER],
      [/(?:\? Where is the job\?[\s\S]*){2}❯ none for now/, ENTER],
    );
    for (const stands of [/What type/, /What level/, /the pay period/]) await answer(window, [stands, ENTER]);
    // Esc goes from a list's second entry to the list, then to the previous question.
    await answer(window, [/\? Your bid/, '18', ENTER], [/\? Required qualification 1/, 'License', ENTER]);
    await answer(window, [/\? Required qualification 2/, ['Escape']]);
    await answer(window, [/\? Required qualifications\s+License[^✔]*❯ keep it/, ['Escape']]);
    await answer(window, [/\? Your bid[^✔]*> \(18\.00\)/, ENTER]);
    await answer(window, [/(?:✔ Your bid[\s\S]*){2}\? Required qualification 2/, ENTER]);
    for (const shown of [/Desired/, /Screening/, /Cap 1/, /Opportunity/, /ATS/])
      await answer(window, [new RegExp(`\\? ${shown.source}`), ENTER]);
    await answer(window, [NEXT, ['Escape']], [/What do you want to do next[\s\S]*\? ATS URL/, ['C-c']]);
    await window.shows(ENDED);
    const { answers } = JSON.parse(readFileSync(answersOf(home), 'utf8'));
    const { title, remoteOption, bidPerQualifiedApplicantCents: bid } = answers.content;
    assert.deepEqual([title, remoteOption, bid], ['Nurse', 'IN_PERSON', 1800]);
  });

  it('saves a file that `jobs create` takes, and replaces none unasked', async () => {
    const home = await withAnswers(await withEngine());
    await home.file('journeyman-electrician.json', 'mine');
    const window = await open(home);
    await window.start('partner jobs create --resume');
    await answer(window, [NEXT, 'save'], [/❯ save it as a file/, ENTER], [/\? Save as/, ENTER]);
    await answer(window, [/journeyman-electrician\.json already exists/, ENTER]);
    assert.equal(readFileSync(join(home.path, 'journeyman-electrician.json'), 'utf8'), 'mine');
    await answer(
      window,
      [/already exists[\s\S]*❯ create it as a draft/, 'save'],
      [/❯ save it as a file/, ENTER],
    );
    await answer(window, [/\? Save as/, 'new.json', ENTER]);
    assert.match(await window.shows(ENDED), /^Saved as new\.json\n.*`partner jobs create new\.json`/m);
    const { $schema, ...saved } = JSON.parse(readFileSync(join(home.path, 'new.json'), 'utf8'));
    assert.deepEqual(saved, LISTING);
    assert.ok(existsSync(join(home.path, $schema)), `$schema leads to ${$schema}`);
    assert.ok(!existsSync(answersOf(home)), 'the answers are in the file now');
  });

  it('has an answer changed, with the one that stands filled in', async () => {
    const home = await withAnswers(await withEngine());
    const window = await open(home);
    await window.start('partner jobs create --resume');
    await answer(window, [NEXT, 'change'], [/❯ change an answer/, ENTER], [/❯ Title/, ENTER]);
    await answer(window, [/\? Title[\s\S]*> \(Journeyman electrician\)/, ['Tab'], ' II', ENTER]);
    await answer(window, [/^Journeyman electrician II$/m, 'create'], [/❯ create it as a draft/, ENTER]);
    assert.match(await window.shows(ENDED), /^job 1 · DRAFT[\s\S]*\[exit 0\]/m);
    assert.deepEqual(await home.must('jobs export 1'), { ...LISTING, title: 'Journeyman electrician II' });
  });

  it('throws its answers away where that is chosen, and asks before it goes on with old ones', async () => {
    const home = await withAnswers(await withEngine());
    const window = await open(home);
    await window.start('partner jobs create');
    assert.match(
      await window.shows(/❯ continue with them/),
      /Journeyman electrician · 16 questions answered/,
    );
    await answer(window, [/❯ continue/, ENTER], [NEXT, 'leave'], [/❯ leave/, ENTER]);
    assert.match(await window.shows(ENDED), /Continue with `partner jobs create --resume`[\s\S]*\[exit 0\]/);
    await window.start('partner jobs create');
    await answer(window, [/❯ continue/, ['Down']], [/❯ discard them/, ENTER]);
    assert.doesNotMatch(await window.shows(/\? Title/), /Journeyman electrician\n> /);
  });

  it('keeps the answers where the call fails, and says what sends them', async () => {
    const home = await withAnswers(await withTerms());
    const window = await open(home, { columns: 120 });
    await window.start('partner jobs create --resume');
    await answer(window, [/❯ create it as a draft/, 'publ'], [/❯ publish it now/, ENTER]);
    const refused = await window.shows(ENDED);
    assert.match(
      refused,
      /Your answers are saved\. Send them again with `partner jobs create --resume --publish`/,
    );
    assert.match(refused, /error: no job was created: can't publish: no payment card[\s\S]*\[exit 5\]/);
    const nobody = `PARTNER_API_KEY=sk_ext_4c1d9f3c2ab7e8d6 partner jobs create --resume --publish --base-url`;
    const { screen, code } = await window.run(`${nobody} http://127.0.0.1:${await freePort()}/v1`);
    assert.equal(code, 8);
    assert.match(screen, /Send them again with `partner jobs create --resume --publish`/);
    await home.must('dashboard add-card');
    const job = await home.must<{ status: string }>('jobs create --resume --publish');
    assert.equal(job.status, 'ACTIVE', 'nobody has to be asked for what is answered');
    assert.ok(!existsSync(answersOf(home)));
  });

  it('is never there where nobody can answer', async () => {
    const window = await open(await withEngine(), { columns: 120 });
    const nothing = /can't create a job: no file or fields specified/;
    const unable = /there is no terminal to prompt on[\s\S]*a job file/;
    for (const [line, says] of [
      ['CI=1 partner jobs create', nothing],
      ['partner jobs create --no-input', nothing],
      ['partner jobs create < /dev/null', nothing],
      ['CI=1 partner jobs create --interactive', unable],
      ['partner jobs create --no-input --interactive', unable],
      ['partner jobs create --interactive < /dev/null', unable],
    ] as const) {
      const { screen, code } = await window.run(line);
      assert.equal(code, 2, line);
      assert.match(screen, says, line);
      assert.doesNotMatch(screen, /\?.*Title/, line);
    }
  });
});
