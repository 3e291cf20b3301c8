import type { PartnerClient } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';

/**
 * Done when the API is there and takes the key. The location search changes nothing and names no job, so that
 * "not found" can only mean a wrong address; a search text that the server does not like was still let in.
 */
export async function assertServesKey(client: PartnerClient): Promise<void> {
  try {
    await client.searchLocations({ q: 'Boston' });
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'VALIDATION_FAILED') throw error;
  }
}

/**
 * The company whose jobs the key may act on, as far as the API tells: a job that it lists says whose it is.
 * Undefined where it lists none. Throws INTERRUPTED; no other failure takes back that the key was taken.
 */
export async function companyOfKey(client: PartnerClient): Promise<string | undefined> {
  try {
    const { items } = await client.listJobs({ limit: 1 });
    const companyId = items[0]?.companyId;
    return typeof companyId === 'string' && companyId !== '' ? companyId : undefined;
  } catch (error) {
    if (error instanceof PartnerError && error.code !== 'INTERRUPTED') return undefined;
    throw error;
  }
}
