import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { temporaryDirectory } from '../engine/temporary-directory.ts';
import { itAtLength } from '../times.ts';
import { openBrowser, type Visitor } from './chromium.ts';
import { firstSteps, journey, shows } from './journey.ts';
import { lookOver } from './look.ts';
import { type Rehearsal, rehearse } from './rehearsal.ts';

describe('the dashboard in a browser', () => {
  const path = temporaryDirectory();
  const visit = openBrowser();
  let rehearsal: Rehearsal;
  let visitor: Visitor | undefined;
  let companies = 0;

  beforeEach(async () => {
    rehearsal = await rehearse(path(`${++companies}.db`));
  });
  afterEach(async () => {
    await visitor?.context.close();
    await rehearsal.close();
  });

  itAtLength('leads from an empty company to an invoice, over pages that everybody can use', async () => {
    visitor = await visit(rehearsal);
    await journey(visitor.page, rehearsal, lookOver);
    assert.deepEqual(visitor.faults, []);
  });

  it('takes its forms with scripts off', async () => {
    visitor = await visit(rehearsal, { javaScriptEnabled: false });
    await firstSteps(visitor.page, rehearsal, async () => {});
    assert.deepEqual(visitor.faults, []);
  });

  it('can be used by the keyboard alone: what has the focus is seen, and the content is one key away', async () => {
    visitor = await visit(rehearsal);
    const { page } = visitor;
    await page.goto(await rehearsal.link());
    await page.goto(`${rehearsal.origin}/dashboard/terms`);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to the content');
    await Promise.all([page.waitForURL(/#main$/), page.keyboard.press('Enter')]);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Accept version 2025-01');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await shows(page, '[role=status]', 'Accepted: version 2025-01');

    const walk: string[] = [];
    for (let keys = 0; keys < 6; keys++) {
      await page.keyboard.press('Tab');
      walk.push(await focused(page));
    }
    assert.deepEqual(walk, ['Skip to the content', 'Jobs', 'Billing', 'Terms', 'Keys', 'Sign out']);
  });
});

/** The focused element's text. The focus must be visible. */
async function focused(page: Page): Promise<string> {
  const { text, outline } = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    return { text: element.innerText, outline: getComputedStyle(element).outlineStyle };
  });
  assert.equal(outline, 'solid', `the focus on ${text} cannot be seen`);
  return text;
}
