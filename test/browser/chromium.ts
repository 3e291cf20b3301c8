import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Rehearsal } from './rehearsal.ts';

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

export type Visitor = Awaited<ReturnType<typeof visit>>;

/** Somebody's browser on a company's dashboard. */
export async function visit(browser: Browser, { origin }: Rehearsal, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  /** What is asked of other hosts, and errors that the console notes. */
  const faults: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`asks ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A page that says no has the status of a no, which the browser notes.
    const isStatus = /^Failed to load resource: .* status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isStatus) faults.push(message.text());
  });
  return { context, page, faults };
}
