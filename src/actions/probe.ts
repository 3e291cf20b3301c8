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
