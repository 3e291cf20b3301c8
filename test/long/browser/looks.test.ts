import assert from 'node:assert/strict';
import { openBrowser } from '../../browser/chromium.ts';
import { fillWithLongTexts, journey } from '../../browser/journey.ts';
import { lookClosely } from '../../browser/look.ts';
import { rehearse } from '../../browser/rehearsal.ts';
import { temporaryDirectory } from '../../engine/temporary-directory.ts';

describe('every page of the dashboard', () => {
  const path = temporaryDirectory();
  const visit = openBrowser();

  it('breaks no rule of axe and is painted on a phone and a desk, light and dark', async () => {
    const rehearsal = await rehearse(path('looks.db'));
    const { context, page, faults } = await visit(rehearsal);
    await journey(page, rehearsal, lookClosely);
    assert.deepEqual(faults, []);
    await context.close();
    await rehearsal.close();
  });

  it('holds the longest texts and amounts', async () => {
    const rehearsal = await rehearse(path('long.db'));
    const { context, page } = await visit(rehearsal);
    await page.goto(await rehearsal.link());
    await page.goto(`${rehearsal.origin}/dashboard/terms`);
    await page.click('button:has-text("Accept")');
    await page.goto(`${rehearsal.origin}/dashboard/billing`);
    await page.click('text=Add the test card');
    const id = await fillWithLongTexts(rehearsal);
    for (const path of ['', '/billing', `/jobs/${id}`]) {
      await page.goto(`${rehearsal.origin}/dashboard${path}`);
      await lookClosely(page, `long-texts${path.replaceAll('/', '-')}`);
    }
    await context.close();
    await rehearsal.close();
  });
});
