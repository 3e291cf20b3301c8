import { PartnerError } from '../../contract/errors.ts';
import { systemError, translateErrors } from '../../contract/system-errors.ts';
import { isoTime } from '../../contract/time.ts';
import { readOwnFile, replaceFile } from '../../files/own-file.ts';
import type { Queries, Store } from '../store/store.ts';
import type { PartnerKeyRow } from '../store/tables.ts';
import { createCompanyRow, DEFAULT_NAME, defaultCompany } from './company.ts';
import { createPartnerKey, digestSecret, isPartnerKey, randomBase62 } from './secrets.ts';

export const KEY_NAME_MAX = 60;

export type IssuedKey = Awaited<ReturnType<typeof issueKey>>;
export type KeyUses = ReturnType<typeof createKeyUses>;
export type ListedKey = ReturnType<typeof toListedKey>;

/** Returns the new key, which can't be shown again because only its digest is stored (decision 19). */
export async function issueKey({ keys }: Queries, companyId: string, now: number, givenName?: string) {
  const key = createPartnerKey();
  const name = givenName === undefined ? null : keyName(givenName);
  const row = { ...keyRow(key, companyId, now), name };
  await keys.insert(row);
  return { key, id: row.id, companyId, name };
}

function keyName(given: string): string {
  const name = given.trim();
  if (name.length > 0 && name.length <= KEY_NAME_MAX && !/\p{Cc}/u.test(name)) return name;
  throw new PartnerError('USAGE', {
    message: `a key name must be 1 to ${KEY_NAME_MAX} characters on one line`,
    hint: 'use the name of the program that sends the key, such as `--name ci`',
  });
}

export function keyRow(key: string, companyId: string, now: number): PartnerKeyRow {
  return {
    id: `key_${randomBase62(12)}`,
    company_id: companyId,
    digest: digestSecret(key),
    last4: key.slice(-4),
    created_at: isoTime(now),
    revoked_at: null,
    name: null,
    last_used_at: null,
  };
}

export async function revokeKey({ keys }: Queries, id: string, now: number): Promise<void> {
  if (await keys.revoke(id, isoTime(now))) return;
  throw new PartnerError('USAGE', {
    message: `key ${id} not found`,
    hint: '`partner engine keys list` shows key IDs',
  });
}

export function toListedKey(row: PartnerKeyRow) {
  return {
    id: row.id,
    name: row.name,
    companyId: row.company_id,
    last4: row.last4,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}

const HOUR_MS = 60 * 60 * 1000;

/** Stores the hour of each key's last use. Requests don't wait for it. The key's next use retries a failed write. */
export function createKeyUses(store: Pick<Store, 'write'>, clock: () => number) {
  const waiting = new Set<string>();
  let writing: Promise<void> | undefined;
  const writeAll = async () => {
    while (waiting.size > 0) {
      const [ids, hour] = [[...waiting], isoTime(clock() - (clock() % HOUR_MS))];
      waiting.clear();
      await store.write(({ keys }) => keys.recordUse(ids, hour)).catch(() => {});
    }
    writing = undefined;
  };
  return {
    record({ id, last_used_at: last }: PartnerKeyRow): void {
      // The last use can be in the future, because the clock can be set back and machines' clocks differ.
      if (last !== null && Math.abs(clock() - Date.parse(last)) < HOUR_MS) return;
      waiting.add(id);
      writing ??= writeAll();
    },
    settle: async () => writing,
  };
}

type Guests = ReturnType<typeof withGuests>;

/** Provides the key and the first company that a read-only command needs, without storing them. */
export function withGuests(store: Store, now: number) {
  const { read } = store;
  const { keys, companies } = read;
  const guests = new Map<string, PartnerKeyRow>();
  const toCome = { ...createCompanyRow(DEFAULT_NAME, now), id: 'not-created-yet' };
  const isFirst = async () => store.isTemporary || (await companies.list(1)).length === 0;
  const findByDigest = async (digest: string) => guests.get(digest) ?? keys.findByDigest(digest);
  const find = async (id: string) => (id === toCome.id ? toCome : companies.find(id));
  const findDefault = async () => ((await isFirst()) ? toCome : companies.findDefault());
  const known = { keys: { ...keys, findByDigest }, companies: { ...companies, find, findDefault } };
  return {
    store: { ...store, read: { ...read, ...known } },
    admit(companyId: string) {
      const key = createPartnerKey();
      guests.set(digestSecret(key), keyRow(key, companyId, now));
      return { key, companyId };
    },
  };
}

/**
 * Returns the user's key for the bundled engine, from the private file at `path`. Creates it on first use, and
 * replaces it if it's revoked or invalid. Throws CONFIG_UNREADABLE, and USAGE for several companies.
 */
export async function localKey(store: Store, path: string, now: number, guests?: Guests) {
  const { known, row } = await readLocalKey(store.read, path);
  if (known !== undefined) return known;
  if (guests !== undefined)
    return guests.admit(row?.company_id ?? (await defaultCompany(store.read, now)).id);
  // `ensureKey` locks and checks again, so that only one of several new processes creates the file.
  return store.write((queries) => ensureKey(queries, path, now));
}

async function ensureKey(queries: Queries, path: string, now: number) {
  await queries.keys.lockLocal();
  const { known, key: kept, row } = await readLocalKey(queries, path);
  if (known !== undefined) return known;
  const companyId = row?.company_id ?? (await defaultCompany(queries, now)).id;
  const key = kept === undefined || row !== undefined ? createPartnerKey() : kept;
  await queries.keys.insert({ ...keyRow(key, companyId, now), name: 'local' });
  if (key !== kept) onFile(path, () => replaceFile(path, `${key}\n`, { isPrivate: true }));
  return { key, companyId };
}

async function readLocalKey({ keys }: Queries, path: string) {
  const text = onFile(path, () => readOwnFile(path)?.toString().trim() ?? '');
  const key = isPartnerKey(text) ? text : undefined;
  const row = key === undefined ? undefined : await keys.findByDigest(digestSecret(key));
  const known =
    key !== undefined && row?.revoked_at === null ? { key, companyId: row.company_id } : undefined;
  return { known, key, row };
}

function onFile<T>(path: string, work: () => T): T {
  const what = `can't use the local key in ${path}`;
  return translateErrors(work, (cause) => systemError(cause, 'CONFIG_UNREADABLE', what));
}
