import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { PLACE } from './good-answer.ts';
import lines from './lines.json' with { type: 'json' };

/** A command line that calls a server. */
export interface Line {
  readonly argv: readonly string[];
  /** Its reads are answered well, so that it comes to its writes. */
  readonly only?: 'writes';
  readonly stdin?: string;
}

export const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';

const { displayName: _, ...location } = PLACE;
const LISTING = { ...COMPLETE_LISTING, opportunityId: null, questions: [], locations: [location] };

/** The files that stand where the lines are run. */
export const FILES: Readonly<Record<string, unknown>> = {
  'listing.json': LISTING,
  'named.json': { ...LISTING, locations: ['Austin, Texas'] },
  'set/kept.json': { ...LISTING, title: 'Changed since', opportunityId: 'kept' },
  'set/new.json': { ...LISTING, title: 'New', opportunityId: 'new', publish: true },
};

/** What the set was when it was applied to a server that is good. */
export const FILES_BEFORE: Readonly<Record<string, unknown>> = {
  'set/kept.json': { ...LISTING, title: 'As it was', opportunityId: 'kept' },
  'set/gone.json': { ...LISTING, title: 'Gone since', opportunityId: 'gone' },
};

/** Every command that calls a server, in each way that calls it differently. */
export const LINES: readonly Line[] = (lines as [line: string, only?: 'writes'][]).map(([line, only]) => ({
  argv: line.split(' '),
  ...(only === undefined ? {} : { only }),
  ...(line.includes('--with-key') ? { stdin: KEY } : {}),
}));

/** Commands that call no server, or only the bundled one; `locations pick` asks at a terminal before it calls. */
export const WITHOUT_A_SERVER =
  /^(?:(?:engine|dashboard|state)\b.*|auth (?:logout|list|switch)|schema|completion|help|version|jobs import|locations (?:pick|resolve))$/;
