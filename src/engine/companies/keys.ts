import { PartnerError } from '../../contract/errors.ts';
import { isoTime } from '../../contract/time.ts';
import type { Queries } from '../store/store.ts';
import type { PartnerKeyRow } from '../store/tables.ts';
import { digestOf, newPartnerKey, randomBase62 } from './secrets.ts';

export type IssuedKey = Awaited<ReturnType<typeof issueKey>>;
export type ListedKey = ReturnType<typeof listedKey>;

/** The key is shown this once (decision 19). */
export async function issueKey({ keys }: Queries, companyId: string, now: number) {
  const key = newPartnerKey();
  const row = keyRow(key, companyId, now);
  await keys.insert(row);
  return { key, id: row.id, companyId };
}

export function keyRow(key: string, companyId: string, now: number): PartnerKeyRow {
  return {
    id: `key_${randomBase62(12)}`,
    company_id: companyId,
    digest: digestOf(key),
    last4: key.slice(-4),
    created_at: isoTime(now),
    revoked_at: null,
  };
}

export async function revokeKey({ keys }: Queries, id: string, now: number): Promise<void> {
  if (await keys.revoke(id, isoTime(now))) return;
  throw new PartnerError('USAGE', {
    message: `there is no key ${id}`,
    hint: '`partner engine keys list` shows their ids',
  });
}

export function listedKey(row: PartnerKeyRow) {
  return {
    id: row.id,
    companyId: row.company_id,
    last4: row.last4,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
