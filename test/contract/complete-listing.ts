import type { JobContent } from '../../src/contract/job.ts';
import listing from './complete-listing.json' with { type: 'json' };

/** A listing with every field filled that passes every check; tests change one thing at a time. */
export const COMPLETE_LISTING = listing as JobContent;
