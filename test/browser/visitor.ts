import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Rehearsal } from './rehearsal.ts';

/** Somebody's browser on a company's dashboard. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What should not go on behind the page: what is asked of other hosts, errors that the console notes. */
  readonly faults: readonly string[];
}

export async function visit(
  browser: Browser,
  { origin }: Rehearsal,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
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
