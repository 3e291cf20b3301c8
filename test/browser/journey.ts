import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Look } from './look.ts';
import type { Rehearsal } from './rehearsal.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export async function journey(page: Page, rehearsal: Rehearsal, look: Look): Promise<void> {
  await firstSteps(page, rehearsal, look);
  await fillWindow(page, rehearsal, look);
  await decide(page, look);
  await setBudget(page, look);
  await readInvoice(page, rehearsal, look);
  await issueAndRevoke(page, look);
  await acceptAnew(page, rehearsal, look);
  await signOut(page, look);
  assert.deepEqual(rehearsal.bugs, []);
}

export async function firstSteps(page: Page, rehearsal: Rehearsal, look: Look): Promise<void> {
  await signIn(page, rehearsal, look);
  await acceptTerms(page, look);
  await addCard(page, look);
}

async function signIn(page: Page, rehearsal: Rehearsal, look: Look): Promise<void> {
  await page.goto(await rehearsal.link());
  assert.equal(new URL(page.url()).pathname, '/dashboard');
  await shows(page, 'h2', 'Before a job can go live');
  await look(page, 'jobs-of-nobody');
}

async function acceptTerms(page: Page, look: Look): Promise<void> {
  await page.click('text=Read and accept the employer terms');
  await shows(page, '[role=status]', 'Not accepted yet');
  await look(page, 'terms-to-accept');
  await page.click('button:has-text("Accept version 2025-01")');
  await shows(page, '[role=status]', 'Accepted: version 2025-01');
  await look(page, 'terms-accepted');
}

async function addCard(page: Page, look: Look): Promise<void> {
  await page.click('nav >> text=Billing');
  await look(page, 'billing-without-card');
  await page.click('text=Add the test card');
  await shows(page, 'main', 'Visa ending in 4242');
  await look(page, 'billing-with-card');
}

/** More people apply to the job than its daily cap pays for. */
async function fillWindow(page: Page, rehearsal: Rehearsal, look: Look): Promise<void> {
  await rehearsal.createJob({ title: '', salaryMin: null, qualifications: [], budgets: [] });
  const id = await rehearsal.createJob({
    budgets: [
      { window: 'DAILY', budgetCents: 3100, notes: 'first week' },
      { window: 'MONTHLY', budgetCents: 30_000 },
    ],
  });
  await rehearsal.publishJob(id);
  await page.click('nav >> text=Jobs');
  await shows(page, 'main', '3 problems');
  await look(page, 'jobs');

  await rehearsal.apply(id);
  await rehearsal.apply(id, { firstName: 'Grace', lastName: 'Hopper' }, false);
  await rehearsal.apply(id, { firstName: 'Linus', lastName: 'Torvalds' });
  await rehearsal.apply(id, { firstName: 'Margaret', lastName: '<b>Hamilton</b>' });
  await page.reload();
  await shows(page, 'main', '4 new');
  await shows(page, 'main', 'Daily cap filled');
  await shows(page, 'tr >> nth=1', '$30.00 of $31.00 daily');
  await look(page, 'jobs-filled');
  await page.fill('role=searchbox[name="Title"]', 'PIPE');
  await page.click('role=button[name="Search"]');
  assert.equal(await page.locator('tbody tr').count(), 1);
}

async function decide(page: Page, look: Look): Promise<void> {
  await page.click('text=Pipe welder');
  await shows(page, 'main', "this job's daily cap is filled until 3 Mar 2026, 00:00");
  await shows(page, '.budget.filled', '1 charge skipped');
  await shows(page, '#application-4', "free: this job's daily cap was filled, $15.00 never charged");
  await shows(page, '#application-4', '<b>Hamilton</b>');
  await look(page, 'job-with-applications');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.click('#application-1 >> text=Download the resume'),
  ]);
  assert.equal(saved.suggestedFilename(), 'cv.pdf');

  await page.click('#application-1 >> button:has-text("Accept")');
  await shows(page, '[role=status]', 'The application was accepted.');
  assert.doesNotMatch(await page.innerText('main'), /\bnew\b/);
  await page.click('#application-2 >> button:has-text("Reject")');
  await shows(page, '[role=status]', 'The application was rejected.');
  await page.click('nav >> text=Accepted 1');
  assert.deepEqual(await page.locator('.cards h3').allInnerTexts(), ['Ada Lovelace']);
  await look(page, 'job-accepted-only');
  await page.goto(new URL('/dashboard/jobs/1', page.url()).href);
  await shows(page, 'h2', 'Before it can be published');
  await look(page, 'draft');
}

async function setBudget(page: Page, look: Look): Promise<void> {
  await page.click('nav >> text=Billing');
  await page.fill('text=Daily cap', 'ten dollars');
  await page.fill('text=Monthly cap', '1,500');
  await page.click('text=Set the budget');
  await shows(page, '[role=alert]', 'Nothing was changed');
  await look(page, 'budget-mistyped');
  await page.fill('text=Daily cap', '0');
  await page.click('text=Set the budget');
  await shows(page, '[role=status]', "The company's budget was set.");
  await shows(
    page,
    '.budget.filled',
    'Hidden from candidates because the cap is 0. Every application is free.',
  );
  await look(page, 'budget-set');
}

/** The invoice of a month is complete a month later. */
async function readInvoice(page: Page, rehearsal: Rehearsal, look: Look): Promise<void> {
  rehearsal.pass(30 * DAY_MS);
  await page.goto(await rehearsal.link());
  await shows(page, 'main', 'Expired');
  await page.click('nav >> text=Billing');
  await shows(page, 'h2', 'April 2026');
  await page.click('nav >> text=March 2026');
  await shows(page, 'tfoot', '$30.00');
  await shows(page, 'table.days', '$30.00');
  await look(page, 'invoice');
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('text=Download as CSV')]);
  assert.equal(saved.suggestedFilename(), 'invoice-2026-03.csv');
}

async function issueAndRevoke(page: Page, look: Look): Promise<void> {
  await page.click('nav >> text=Keys');
  await page.click('text=Issue a key');
  const key = (await page.innerText('.secret')).trim();
  await look(page, 'key-issued');
  await page.goto(page.url());
  await page.click(`text=Revoke the key ending in ${key.slice(-4)}`);
  await shows(page, 'td details', "This can't be undone");
  await look(page, 'key-to-revoke');
  await page.click('details[open] button:has-text("Revoke the key")');
  await shows(page, '[role=status]', 'The key was revoked.');
  await shows(page, 'table', 'Revoked');
  await look(page, 'keys');
}

async function acceptAnew(page: Page, rehearsal: Rehearsal, look: Look): Promise<void> {
  await page.click('nav >> text=Terms');
  await rehearsal.issueTerms('2026-04');
  await page.reload();
  await shows(page, '[role=status]', 'Outdated: you accepted version 2025-01');
  assert.equal((await rehearsal.publishJob(await rehearsal.createJob())).code, 'AGREEMENT_OUTDATED');
  await rehearsal.issueTerms('2026-05');
  await page.click('button:has-text("Accept version 2026-04")');
  await shows(page, '[role=alert]', 'Nothing was accepted');
  await look(page, 'terms-changed-meanwhile');
  await page.click('button:has-text("Accept version 2026-05")');
  await shows(page, '[role=status]', 'Accepted: version 2026-05');
  assert.equal((await rehearsal.publishJob(await rehearsal.createJob())).status, 200);
}

async function signOut(page: Page, look: Look): Promise<void> {
  await page.goto(new URL('/dashboard/jobs/999', page.url()).href);
  await shows(page, 'main', 'Job 999 not found');
  await look(page, 'no-such-job');
  await page.click('text=Sign out');
  await shows(page, 'h1', 'You are signed out');
  await look(page, 'signed-out');
  await page.goBack();
  await page.reload();
  await shows(page, 'h1', 'You are not signed in');
}

/** Long text must fit even in the narrowest window. */
export async function fillWithLongTexts(rehearsal: Rehearsal): Promise<number> {
  const word = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(12).slice(0, 500);
  const id = await rehearsal.createJob({
    publish: true,
    title: word,
    description: `${word.repeat(20)}\n\n${'word '.repeat(2_000)}`,
    opportunityId: word,
    atsJobUrl: `https://ats.example/${encodeURIComponent(word)}`,
    bidPerQualifiedApplicantCents: 9_007_199_254_740,
    qualifications: [{ text: word, kind: 'REQUIRED', order: 1 }],
    questions: [
      { prompt: word, answerFormat: 'NUMBER', order: 1 },
      { prompt: `${word}?`, answerFormat: 'MULTI_SELECT', options: ['first', 'second', word], order: 2 },
    ],
    budgets: [{ window: 'DAILY', budgetCents: Number.MAX_SAFE_INTEGER, notes: word }],
  });
  const long = word.slice(0, 240);
  await rehearsal.apply(id, {
    firstName: long,
    lastName: long,
    email: `${long.replaceAll('ä', 'a')}@example.com`,
    location: long,
  });
  return id;
}

export async function shows(page: Page, selector: string, text: string): Promise<void> {
  const shown = (await page.locator(selector).allInnerTexts()).map((one) => one.replace(/\s+/g, ' '));
  assert.ok(
    shown.some((one) => one.includes(text)),
    `${page.url()} shows no ${selector} with ${JSON.stringify(text)}, but ${JSON.stringify(shown)}`,
  );
}
