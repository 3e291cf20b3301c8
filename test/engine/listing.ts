import type { JobInput } from '../../src/contract/job.ts';
import listing from './listing.json' with { type: 'json' };

export const COMPLETE = listing as { [Field in keyof typeof listing]: NonNullable<JobInput[Field]> };
