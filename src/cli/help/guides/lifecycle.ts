import { EDITABLE, EXPIRY, FROZEN_FIELDS, MOVES } from '../../../contract/lifecycle.ts';
import { LISTING_DAYS } from '../../../contract/limits.ts';
import { JOB_STATUSES, type JobStatus } from '../../../contract/values.ts';
import type { Guide, GuideEntry } from '../guide-view.ts';

/** Narrow enough for a window of 40 columns, with its indent. */
const PICTURE = [
  '     create',
  '       ▼',
  '   ┌────────┐',
  '   │ DRAFT  │',
  '   └────────┘',
  '       │ publish ◇',
  '       ▼',
  '   ┌────────┐  pause   ┌────────┐',
  '   │        │─────────▶│        │',
  '   │ ACTIVE │          │ PAUSED │',
  '   │        │◀─────────│        │',
  '   └────────┘  resume  └────────┘',
  '     │    │              │    │',
  '     │    │   30 days    │    │',
  '     │    └─────┐  ┌─────┘    │',
  '     │          ▼  ▼          │',
  '     │       ┌─────────┐      │',
  'close│       │ EXPIRED │      │close',
  '     │       └─────────┘      │',
  '     │       ┌─────────┐      │',
  '     └──────▶│ CLOSED  │◀─────┘',
  '             └─────────┘',
];

/** What candidates and editors of a job in each state can do. */
const STATES: Readonly<Record<JobStatus, string>> = {
  DRAFT: 'nobody sees it; it may hold any subset of the fields, and can be neither closed nor removed',
  ACTIVE: 'candidates see it, unless a budget is filled; an edit has to leave it complete',
  PAUSED: 'hidden for a while; an edit has to leave it complete',
  CLOSED: 'over for good: no edit, no way back',
  EXPIRED: 'its 30 days are over: no edit, no way back; `partner jobs repost ID` makes a new job of it',
};

/** The states of a job, what moves it, and what can change when. */
export function lifecycle(): Guide {
  return {
    topic: 'lifecycle',
    about: 'The life of a job: what moves it from one state to another, and what can change in which.',
    sections: [
      { heading: 'PICTURE', lines: [...PICTURE, '', '◇ through the three gates'] },
      { heading: 'STATES', entries: JOB_STATUSES.map((name) => ({ name, about: STATES[name] })) },
      {
        heading: 'MOVES',
        entries: [...Object.entries(MOVES), [`${LISTING_DAYS} days`, EXPIRY] as const].map(move),
      },
      {
        heading: 'NO OTHER MOVE',
        text: 'Every other move is INVALID_TRANSITION (exit 6), and nothing changes; `--ensure` takes "already there" as success. `partner jobs create FILE --publish` goes to ACTIVE in one step: if a gate fails, nothing is created.',
      },
      {
        heading: 'THE THREE GATES, IN THIS ORDER',
        entries: [
          {
            name: '1',
            about: `complete: every field that \`partner help job-files\` calls needed to go live`,
            more: ['VALIDATION_FAILED'],
          },
          {
            name: '2',
            about: 'terms: accepted in the dashboard (bundled engine: `partner dashboard accept-terms`)',
            more: ['AGREEMENT_OUTDATED'],
          },
          {
            name: '3',
            about: 'card: on file in the dashboard (bundled engine: `partner dashboard add-card`)',
            more: ['PAYMENT_METHOD_REQUIRED'],
          },
        ],
      },
      {
        heading: 'THIRTY DAYS',
        text: `Publishing sets expiresAt ${LISTING_DAYS} days ahead. A pause does not stop that clock, and resuming does not set it back: ${EXPIRY.from.join(' or ')}, a job is ${EXPIRY.to} from then on.`,
      },
      {
        heading: 'WHAT CAN CHANGE',
        text: `A job can be edited while it is ${inWords(EDITABLE)}. With its first application it is frozen (isFrozen): its ${inWords(FROZEN_FIELDS, 'and')} cannot change any more (JOB_FROZEN), because people have answered them. Everything else can, the bid included; sending both as they are is no change.`,
      },
    ],
  };
}

function move([name, { from, to }]: readonly [string, (typeof MOVES)['publish']]): GuideEntry {
  return { name, about: `${inWords(from)} → ${to}${name === 'publish' ? ', through the gates' : ''}` };
}

function inWords(words: readonly string[], last = 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
