import { PLACE_LIMIT_DEFAULT, PLACE_LIMIT_MAX } from '../../contract/limits.ts';
import { placeQueryFault } from '../../contract/places.ts';
import type { Route } from '../http/call.ts';
import { suggestionOf } from './job-places.ts';
import { queryReader } from './query.ts';

/** Decision 4. */
export const searchLocations: Route = async (call, { places }) => {
  const query = queryReader(call.query);
  const q = query.filledText('q', placeQueryFault);
  const limit = query.wholeNumber('limit', { max: PLACE_LIMIT_MAX, default: PLACE_LIMIT_DEFAULT });
  const country = query.text('country');
  query.check();

  const found = places.search({ q, limit, ...(country ? { country } : {}) });
  const items = found.map(suggestionOf);
  return { status: call.operation.status, json: JSON.stringify({ items }) };
};
