import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Scheme = 'light' | 'dark';

const WIDTHS = [375, 1280] as const;
/** WCAG 1.4.10 requires pages to fit into this width. */
const NARROWEST = 320;
const HEIGHT = 800;

export type Look = (page: Page, name: string) => Promise<void>;

/** The state of each page that shows the most, because axe takes most of the time. */
const FULLEST: readonly string[] = [
  'terms-to-accept',
  'jobs-filled',
  'job-with-applications',
  'draft',
  'budget-mistyped',
  'invoice',
  'key-to-revoke',
  'signed-out',
];

/** Quick check at one width: no horizontal scrolling, and no axe violations in one state of each page. */
export const lookOver: Look = async (page, name) => {
  await setLook(page, NARROWEST, 'light');
  if (FULLEST.includes(name)) assert.deepEqual(await violations(page, 'light'), [], name);
  await fits(page, NARROWEST, name);
};

/**
 * Checks phone and desktop widths, light and dark: no axe violations, no horizontal scrolling, and dark looks
 * different. Saves screenshots in PARTNER_SCREENSHOTS if it's set.
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
  assert.deepEqual(await violations(page, 'light'), [], name);
  await fits(page, NARROWEST, name);
};

async function setLook(page: Page, width: number, colorScheme: Scheme): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  // Screenshots in the middle of a color transition would vary.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}

async function fits(page: Page, width: number, name: string): Promise<void> {
  const needed = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(needed <= width, `${name} is ${needed} pixels wide in a window of ${width}`);
}

/** In dark mode only colors change, so other rules would give the same result. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

async function violations(page: Page, scheme: Scheme): Promise<string[]> {
  // `evaluate` bypasses the page's content security policy, which blocks scripts.
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
  // A full page takes three times as long, so only kept screenshots have it.
  const image = await page.screenshot({ fullPage: Boolean(kept) });
  assert.equal(image.subarray(1, 4).toString(), 'PNG');
  assert.ok(image.byteLength > 5_000, `${name} shows nothing`);
  if (kept) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, `${name}.png`), image);
  }
  return image;
}
