import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { PLACE } from './good-answer.ts';

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

const patience = ['--max-wait', '50ms'];
const apply = ['jobs', 'apply', 'set', '--state', 'STATE', ...patience];
const watch = ['jobs', 'watch', '12', '--every', '1ms', '--for', '20ms'];

/** Every command that calls a server, in each way that calls it differently. */
export const LINES: readonly Line[] = [
  { argv: ['jobs', 'create', 'listing.json'] },
  { argv: ['jobs', 'create', 'listing.json', '--publish', '--json'] },
  { argv: ['jobs', 'create', 'named.json'], only: 'writes' },
  { argv: ['jobs', 'create', '--title', 'Nurse', '--location', 'Austin'] },
  { argv: ['jobs', 'update', '12', '--title', 'Nurse'] },
  { argv: ['jobs', 'update', '12', '--salary-max', '90000', '--json'], only: 'writes' },
  { argv: ['jobs', 'publish', '12'] },
  { argv: ['jobs', 'publish', '12', '13', '--ensure', '--json'] },
  { argv: ['jobs', 'pause', '12'] },
  { argv: ['jobs', 'resume', '12'], only: 'writes' },
  { argv: ['jobs', 'close', '12', '--yes'] },
  { argv: ['jobs', 'get', '12'] },
  { argv: ['jobs', 'get', '12', '--json', '--debug'] },
  { argv: ['jobs', 'list'] },
  { argv: ['jobs', 'list', '--limit', '300', '--json'] },
  { argv: ['jobs', 'list', '--limit', '300', '--csv'] },
  { argv: watch },
  { argv: [...watch, '--until', 'ACTIVE', '--json'] },
  { argv: ['jobs', 'repost', '12'] },
  { argv: ['jobs', 'repost', '12', '--publish'], only: 'writes' },
  { argv: ['jobs', 'export', '12'] },
  { argv: ['jobs', 'validate', 'named.json'] },
  { argv: ['jobs', 'plan', 'set', '--state', 'STATE', ...patience] },
  { argv: ['jobs', 'plan', 'set', '--state', 'fresh.json', '--json', ...patience] },
  { argv: [...apply, '--prune', '--yes'] },
  { argv: [...apply, '--prune', '--yes', '--publish', '--json'], only: 'writes' },
  { argv: ['jobs', 'apply', 'set', '--state', 'fresh.json', '--rebuild', ...patience] },
  { argv: [...apply, '--adopt', 'set/new.json=77'] },
  { argv: ['locations', 'search', 'Austin'] },
  { argv: ['locations', 'search', 'Austin', '--json'] },
  { argv: ['budgets', 'get', '12'] },
  { argv: ['budgets', 'set', '12', '--weekly-cents', '9000'] },
  { argv: ['budgets', 'set', '12', '--weekly-cents', '9000'], only: 'writes' },
  { argv: ['budgets', 'clear', '12', '--window', 'DAILY'], only: 'writes' },
  { argv: ['budgets', 'simulate', '--job', '12', '--days', '1'] },
  { argv: ['auth', 'login', 'hostile', '--with-key', '--base-url', 'URL'], stdin: KEY },
  { argv: ['auth', 'status'] },
  { argv: ['doctor'] },
  { argv: ['doctor', '--remote', '--json'] },
  { argv: ['doctor', '--remote', '--write'], only: 'writes' },
];

/** Commands that call no server, or only the bundled one; `locations pick` asks at a terminal before it calls. */
export const WITHOUT_A_SERVER =
  /^(?:(?:engine|dashboard)\b.*|auth (?:logout|list|switch)|schema|completion|help|version|jobs import|locations (?:pick|resolve))$/;
