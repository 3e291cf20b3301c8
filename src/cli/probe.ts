import type { PartnerClient } from '../client/client.ts';
import { PartnerError } from '../contract/errors.ts';

/** Resolves when the API is there and takes the key: in a location search "not found" can only mean a wrong address. */
export async function assertServesKey(client: PartnerClient): Promise<void> {
  try {
    await client.searchLocations({ q: 'Boston' });
  } catch (error) {
    if (!(error instanceof PartnerError) || error.code !== 'VALIDATION_FAILED') throw error;
  }
}

/** The company of the key, by a job that the API lists; undefined where it lists none or fails. Throws INTERRUPTED. */
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
