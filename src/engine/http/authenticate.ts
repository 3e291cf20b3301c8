import { PartnerError } from '../../contract/errors.ts';
import { digestOf } from '../companies/secrets.ts';
import type { Store } from '../store/store.ts';
import type { PartnerKeyRow } from '../store/tables.ts';

const BEARER = /^Bearer +(\S+) *$/i;

/** The key that an `Authorization` header carries; throws INVALID_SERVICE_KEY (section 5). */
export async function authenticate(header: string | null, store: Store): Promise<PartnerKeyRow> {
  if (header === null)
    throw refused('the Authorization header is missing: send `Authorization: Bearer <key>`');
  const key = BEARER.exec(header)?.[1];
  if (key === undefined) throw refused('the Authorization header must read `Bearer <key>`');
  const found = await store.read.keys.findByDigest(digestOf(key));
  if (found === undefined) throw refused('the partner key is unknown');
  if (found.revoked_at !== null) throw refused('the partner key was revoked');
  return found;
}

function refused(message: string): PartnerError {
  return new PartnerError('INVALID_SERVICE_KEY', { message });
}
