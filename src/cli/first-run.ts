import { paragraph } from './terminal/blocks.ts';
import type { View } from './terminal/view.ts';

/** What a CI is told that names no server. */
export function unnamedInCi(view: View): string {
  const text =
    'no server is named: calls go to the bundled engine, where no candidate sees a job. Set PARTNER_BASE_URL and PARTNER_API_KEY; --local or PARTNER_BASE_URL=local say that the bundled engine is meant';
  return paragraph(text, view);
}

/** What somebody who has set nothing up is told once: who answers the calls, and how to reach a real server. */
export function firstRun(view: View): string {
  return [
    paragraph('No server is set up: the bundled engine answers, a service on this machine.', view),
    paragraph(`${view.paint('dim', '→')} log in to a real server with \`partner auth login\``, view),
  ].join('');
}
