import { EMPTY_CONTENT } from '../../../src/contract/job.ts';
import liveJob from './live-job.json' with { type: 'json' };

export const LIVE_JOB = liveJob;

/** A draft created from `{}`. */
export const EMPTY_DRAFT = {
  ...LIVE_JOB,
  ...EMPTY_CONTENT,
  id: 13,
  status: 'DRAFT',
  applicationCounts: { pending: 0, accepted: 0, rejected: 0 },
  isFrozen: false,
  newApplicantCount: 0,
  publishedAt: null,
  expiresAt: null,
};

/** Three days after the live job was published. */
export const NOW = Date.parse('2025-11-21T07:09:00.000Z');
