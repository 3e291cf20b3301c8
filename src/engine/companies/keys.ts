import { PartnerError } from '../../contract/errors.ts';
import { reasonOf } from '../../contract/system-errors.ts';
import { isoTime } from '../../contract/time.ts';
import { readOwnFile, replaceFile } from '../../files/own-file.ts';
import type { Queries, Store } from '../store/store.ts';
import type { PartnerKeyRow } from '../store/tables.ts';
import { defaultCompany } from './company.ts';
import { digestOf, isPartnerKey, newPartnerKey, randomBase62 } from './secrets.ts';

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

/**
 * The key with which this machine's user reaches the bundled engine, as the company made on first use. It is kept in a
 * private file at `path`: made on first use, registered again after a reset, replaced where it was revoked or is no
 * key. Throws CONFIG_UNREADABLE.
 */
export async function localKey(store: Store, path: string, now: number) {
  const { key, row } = await knownKey(store.read, path);
  if (key !== undefined && row?.revoked_at === null) return { key, companyId: row.company_id };
  // The lock makes processes that start at once take turns: the first one makes the file.
  return store.write((queries) => ensureKey(queries, path, now));
}

async function ensureKey(queries: Queries, path: string, now: number) {
  await queries.keys.lockLocal();
  const { key: kept, row } = await knownKey(queries, path);
  if (kept !== undefined && row?.revoked_at === null) return { key: kept, companyId: row.company_id };
  const { id: companyId } = await defaultCompany(queries, now);
  const key = kept === undefined || row !== undefined ? newPartnerKey() : kept;
  await queries.keys.insert(keyRow(key, companyId, now));
  if (key !== kept) onFile(path, () => replaceFile(path, `${key}\n`, { isPrivate: true }));
  return { key, companyId };
}

async function knownKey({ keys }: Queries, path: string) {
  const text = onFile(path, () => readOwnFile(path)?.toString().trim() ?? '');
  const key = isPartnerKey(text) ? text : undefined;
  return { key, row: key === undefined ? undefined : await keys.findByDigest(digestOf(key)) };
}

function onFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    throw new PartnerError('CONFIG_UNREADABLE', {
      message: `the local key in ${path} cannot be used: ${reasonOf(error)}`,
      cause: error,
    });
  }
}
