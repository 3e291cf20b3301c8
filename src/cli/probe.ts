import type { PartnerClient } from '../client/client.ts';
import { ignoreErrors, PartnerError } from '../contract/errors.ts';

/** Throws unless the API accepts the key. For a location search, "not found" can only mean a wrong URL. */
export async function assertServesKey(client: PartnerClient): Promise<void> {
  await client.searchLocations({ q: 'Boston' }).catch(ignoreErrors('VALIDATION_FAILED'));
}

/** Returns the key's company from any listed job. Undefined if there's none or listing fails. Throws INTERRUPTED. */
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
