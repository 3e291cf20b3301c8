import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { PLACE } from './good-answer.ts';
import lines from './lines.json' with { type: 'json' };

export interface Line {
  readonly argv: readonly string[];
  /** Reads get good responses, because the command would otherwise fail before it writes. */
  readonly only?: 'writes';
  readonly stdin?: string;
}

export const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';

const { displayName: _, ...location } = PLACE;
const LISTING = { ...COMPLETE_LISTING, opportunityId: null, questions: [], locations: [location] };

export const FILES: Readonly<Record<string, unknown>> = {
  'listing.json': LISTING,
  'named.json': { ...LISTING, locations: ['Austin, Texas'] },
  'set/kept.json': { ...LISTING, title: 'Changed since', opportunityId: 'kept' },
  'set/new.json': { ...LISTING, title: 'New', opportunityId: 'new', publish: true },
};

/** Content of the set when it was applied to a good server. */
export const FILES_BEFORE: Readonly<Record<string, unknown>> = {
  'set/kept.json': { ...LISTING, title: 'As it was', opportunityId: 'kept' },
  'set/gone.json': { ...LISTING, title: 'Gone since', opportunityId: 'gone' },
};

/** Includes each command once for every way in which its requests differ. */
export const LINES: readonly Line[] = (lines as [line: string, only?: 'writes'][]).map(([line, only]) => ({
  argv: line.split(' '),
  ...(only === undefined ? {} : { only }),
  ...(line.includes('--with-key') ? { stdin: KEY } : {}),
}));

/** These call no server or only the bundled one; `locations pick` and `jobs edit` need a terminal before they call any. */
export const WITHOUT_A_SERVER =
  /^(?:(?:engine|dashboard|state)\b.*|auth (?:logout|list|switch)|init|skill|schema|completion|help|version|jobs (?:edit|import|map)|locations (?:pick|resolve))$/;
