import type { LocationSuggestion } from '../../src/contract/job.ts';

/** Ends the title of a test that `npm run contract` also makes on a server that is not ours. */
export const ON_ANY_SERVER = ' @any-server';

/** The server has no such extension, which is no fault. */
export class NotOffered extends Error {}

/** It would do harm, or needs what one partner key does not give. */
export class NotTried extends Error {}

/** What makes the tests fit a server that is not ours. */
export interface Remote {
  /** What each draft has where a test says nothing else, so that people know it. */
  readonly mark: { readonly title: string; readonly opportunityId: string };
  /** The two or fewer that the search gave. */
  readonly places: readonly LocationSuggestion[];
  readonly queryParameter: string;
  readonly offers: { readonly list: boolean; readonly keys: boolean; readonly pause: boolean };
  /** What was left there. */
  readonly drafts: ReadonlySet<number>;
  readonly live: ReadonlySet<number>;
}
