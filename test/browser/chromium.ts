import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
] as const;

/** Where a Chromium is: what PARTNER_TEST_CHROMIUM names, or else one of the usual places. */
function chromiumPath(): string | undefined {
  const named = process.env.PARTNER_TEST_CHROMIUM;
  return (named ? [named] : USUAL_PLACES).find((path) => existsSync(path));
}

/** Whether there is no Chromium to test with; says so, as these tests are then passed over. */
export function isWithoutChromium(): boolean {
  const isWithout = chromiumPath() === undefined;
  if (isWithout) {
    const named = process.env.PARTNER_TEST_CHROMIUM;
    const where = named ? `${named}, which PARTNER_TEST_CHROMIUM names, is not there` : 'none is installed';
    console.error(`    not tested in a browser, as there is no Chromium: ${where}`);
  }
  return isWithout;
}

export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: chromiumPath() ?? '' });
}
