import { paragraph } from '../blocks.ts';
import type { View } from '../view.ts';

/** What somebody who has set nothing up is told once: who answers the calls, and how to reach a real server. */
export function firstRun(view: View): string {
  return [
    paragraph('No server is set up: the bundled engine answers, a service on this machine.', view),
    paragraph(`${view.paint('dim', '→')} log in to a real server with \`partner auth login\``, view),
  ].join('');
}
