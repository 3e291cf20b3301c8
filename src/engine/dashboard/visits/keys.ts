import { PartnerError } from '../../../contract/errors.ts';
import { issueKey, type ListedKey, listedKey, revokeKey } from '../../companies/keys.ts';
import type { Queries } from '../../store/store.ts';
import { keysPage, revokePage } from '../pages/keys.ts';
import { ROOT } from '../pages/parts.ts';
import type { DashboardRoute, Visit } from '../visit.ts';

const TITLE = 'Partner keys';

/** The company's partner keys: to issue and to revoke. */
export const KEY_VISITS: readonly DashboardRoute[] = [
  {
    method: 'GET',
    path: '/keys',
    async handle(visit, { store }) {
      return { page: { title: TITLE, body: keysPage(await keysOf(store.read, visit), visit) } };
    },
  },
  {
    method: 'POST',
    path: '/keys',
    async handle(visit, { store }) {
      // Shown in this answer and nowhere else: an address that showed it again would have to keep it.
      const issued = await store.write((queries) => issueKey(queries, visit.company.id, visit.now));
      return { page: { title: TITLE, body: keysPage(await keysOf(store.read, visit), visit, issued) } };
    },
  },
  {
    method: 'GET',
    path: '/keys/:id/revoke',
    async handle(visit, { store }) {
      const key = await keyIn(store.read, visit);
      if (key.revokedAt !== null) return { redirect: `${ROOT}/keys` };
      return { page: { title: 'Revoke a key', body: revokePage(key, visit) } };
    },
  },
  {
    method: 'POST',
    path: '/keys/:id/revoke',
    async handle(visit, { store }) {
      await store.write(async (queries) => {
        const { id } = await keyIn(queries, visit);
        await revokeKey(queries, id, visit.now);
      });
      return { redirect: `${ROOT}/keys?done=revoked` };
    },
  },
];

async function keysOf({ keys }: Queries, { company }: Visit): Promise<ListedKey[]> {
  return (await keys.list(company.id)).map(listedKey);
}

/** The key that an address names. Throws NOT_FOUND, also for another company's. */
async function keyIn(queries: Queries, visit: Visit): Promise<ListedKey> {
  const key = (await keysOf(queries, visit)).find(({ id }) => id === visit.params.id);
  if (key !== undefined) return key;
  throw new PartnerError('NOT_FOUND', { message: 'there is no such key', hint: 'look under Keys' });
}
