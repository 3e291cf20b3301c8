import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Rehearsal } from './rehearsal.ts';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
] as const;

function chromiumPath(): string | undefined {
  const named = process.env.PARTNER_TEST_CHROMIUM;
  return (named ? [named] : USUAL_PLACES).find((path) => existsSync(path));
}

/** Prints a notice, because the tests would otherwise be skipped silently. */
function isWithoutChromium(): boolean {
  const isWithout = chromiumPath() === undefined;
  if (isWithout) {
    const named = process.env.PARTNER_TEST_CHROMIUM;
    const where = named ? `${named}, which PARTNER_TEST_CHROMIUM names, is not there` : 'none is installed';
    console.error(`    not tested in a browser, as there is no Chromium: ${where}`);
  }
  return isWithout;
}

/** Opens a browser for all tests of a `describe`, or skips them. Returns a function that opens a window of it. */
export function openBrowser() {
  let browser: Browser;
  before(async function () {
    if (isWithoutChromium()) return this.skip();
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath: chromiumPath() ?? '' });
  });
  after(() => browser?.close());
  return (rehearsal: Rehearsal, options?: BrowserContextOptions) => visit(browser, rehearsal, options);
}

export type Visitor = Awaited<ReturnType<typeof visit>>;

async function visit(browser: Browser, { origin }: Rehearsal, options?: BrowserContextOptions) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  /** Requests to other hosts, and errors in the console. */
  const faults: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`asks ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser logs every 4xx page as an error, even if the page is expected.
    const isStatus = /^Failed to load resource: .* status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isStatus) faults.push(message.text());
  });
  return { context, page, faults };
}
