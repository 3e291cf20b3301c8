import type { LocationSuggestion } from '../../src/contract/job.ts';

/** `npm run contract` runs the tests whose titles end with this on other people's servers. */
export const ON_ANY_SERVER = ' @any-server';

/** The extension is optional, so this isn't a failure. */
export class NotOffered extends Error {}

/** The test would do harm or needs more than one partner key. */
export class NotTried extends Error {}

export interface Remote {
  /** Default fields of each draft, so that people recognize it as a test. */
  readonly mark: { readonly title: string; readonly opportunityId: string };
  /** At most two results of the location search. */
  readonly places: readonly LocationSuggestion[];
  readonly queryParameter: string;
  readonly offers: { readonly list: boolean; readonly keys: boolean; readonly pause: boolean };
  readonly drafts: ReadonlySet<number>;
  readonly live: ReadonlySet<number>;
}
