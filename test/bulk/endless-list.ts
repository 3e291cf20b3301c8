import { TextResponse } from '../../src/contract/http-messages.ts';
import { clientOn } from '../client/client-under-test.ts';

/** Returns a client of a server whose list never ends. Each page has one new job. */
export function endlessList() {
  let pages = 0;
  const { client } = clientOn(async () => {
    pages++;
    const job = { id: pages, status: 'DRAFT', title: 'Nurse', opportunityId: pages % 2 ? 'r 7' : 'other' };
    return new TextResponse(JSON.stringify({ items: [job], nextCursor: `c${pages}` }), 200, {});
  });
  return { client, pages: () => pages };
}

export const NONE: ReadonlySet<number> = new Set();
export const SOUGHT = { fingerprint: 'none', opportunityId: 'r 7' };
