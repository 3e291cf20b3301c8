import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Scheme = 'light' | 'dark';

/** A phone's width and a desk's. */
const WIDTHS = [375, 1280] as const;
/** The narrowest window that a page has to fit into (WCAG 1.4.10). */
const NARROWEST = 320;
const HEIGHT = 800;

/** Looks at a page; `name` is what its screenshots are called by. */
export type Look = (page: Page, name: string) => Promise<void>;

/** Looks at a page as a phone shows it: no rule of axe is broken, and nothing has to be scrolled sideways. */
export const lookOver: Look = async (page, name) => {
  await setLook(page, NARROWEST, 'light');
  assert.deepEqual(await violations(page, 'light'), [], name);
  await fits(page, NARROWEST, name);
};

/**
 * Looks at a page as a phone and a desk show it, light and dark: no rule of axe is broken, nothing has to be scrolled
 * sideways, and it is painted, dark not as light. Its screenshots are kept in the directory PARTNER_SCREENSHOTS, where
 * that is set.
 */
export const lookClosely: Look = async (page, name) => {
  for (const width of WIDTHS) {
    const shots: Buffer[] = [];
    for (const scheme of ['light', 'dark'] as const) {
      await setLook(page, width, scheme);
      const what = `${name}-${width}-${scheme}`;
      assert.deepEqual(await violations(page, scheme), [], what);
      shots.push(await screenshot(page, what));
    }
    assert.notDeepEqual(shots[0], shots[1], `${name} is as light in the dark`);
    await fits(page, width, name);
  }
  await setLook(page, NARROWEST, 'light');
  await fits(page, NARROWEST, name);
};

async function setLook(page: Page, width: number, colorScheme: Scheme): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  // What fades from one colour into another would be caught halfway.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}

async function fits(page: Page, width: number, name: string): Promise<void> {
  const needed = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(needed <= width, `${name} is ${needed} pixels wide in a window of ${width}`);
}

/** The rules that look at colours: of a page that is only coloured anew, the others say the same. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What breaks a rule of axe: of all of them, those of good practice too, or in the dark of those on colours. */
async function violations(page: Page, scheme: Scheme): Promise<string[]> {
  // In the page by the debugger's way: its policy lets no script in, and none of ours has to be let in.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const rules = scheme === 'dark' ? { runOnly: COLOUR_RULES } : {};
  const found = await page.evaluate((options) => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe };
    return here.run(document, { ...options, preload: false, resultTypes: ['violations'] });
  }, rules);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function screenshot(page: Page, name: string): Promise<Buffer> {
  const kept = process.env.PARTNER_SCREENSHOTS;
  // Down to its end where somebody will look at it: that takes three times as long.
  const image = await page.screenshot({ fullPage: Boolean(kept) });
  assert.equal(image.subarray(1, 4).toString(), 'PNG');
  assert.ok(image.byteLength > 5_000, `${name} shows nothing`);
  if (kept) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, `${name}.png`), image);
  }
  return image;
}
