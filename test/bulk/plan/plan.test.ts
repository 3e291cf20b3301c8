import assert from 'node:assert/strict';
import type { JobUpdate } from '../../../src/contract/job.ts';
import { applied, type Given, job, linesOf, planned } from './given.ts';

const NURSE: JobUpdate = {
  title: 'Nurse',
  description: 'Care for people',
  salaryMin: 50_000,
  qualifications: [{ text: 'License', kind: 'REQUIRED', order: 1 }],
};
const OPENING: JobUpdate = { ...NURSE, opportunityId: 'N-1' };
const WELDER: JobUpdate = { title: 'Welder', description: 'Weld things' };
const COOK: JobUpdate = { title: 'Cook', description: 'Cook things' };
const OTHER_LICENSE: JobUpdate = { qualifications: [{ text: 'Other license', kind: 'REQUIRED', order: 1 }] };

/** One listing, applied once as NURSE: what its file says now, and what the server has. */
function one(file: JobUpdate & { publish?: boolean }, server: JobUpdate = {}, over = {}): Given {
  return {
    files: { 'a.json': file },
    state: { 'a.json': applied(1, NURSE) },
    server: [job(1, { ...NURSE, ...server }, over)],
  };
}

type Row = readonly [promise: string, given: Given, lines: readonly string[]];

const optioned = (given: Given, options: Given['options']): Given => ({ ...given, options: { ...options } });

/**
 * Of one listing that was applied as NURSE: what its file and its job have else by now, the options, what is done with
 * it (`KEY job 1` left out), and the promise.
 */
const ONE_LISTING = `
                                |                                                   |                                 |                                                       | a listing that is as it was applied needs nothing
  title=Senior                  |                                                   |                                 | update {title}                                        | a field that changed in the file is sent, alone
  title=Senior, salaryMin=60000 |                                                   |                                 | update {title,salaryMin}                              | fields are sent in the order of the specification
  jobType=FULL_TIME             |                                                   |                                 | update {jobType}                                      | a field that is new in the file and empty on the server is sent
  jobType=FULL_TIME             | jobType=CONTRACT                                  |                                 | held ~{jobType} BOTH_CHANGED                          | a field that is new in the file and set on the server is a conflict
  jobType=FULL_TIME             | jobType=FULL_TIME                                 |                                 | record                                                | a field that is new in the file and the same on the server is only remembered
  remoteCountry=null            |                                                   |                                 | record                                                | an empty field that is new in the file and empty on the server is only remembered
  title=Senior                  | title=Senior                                      |                                 | record                                                | a change that the server has already is only remembered
  title=Senior, salaryMin=1     | title=Senior                                      |                                 | update {salaryMin}                                    | a change that is there already is not sent beside one that is not
                                | title=Head                                        |                                 | notice ~{title} EDITED_ON_SERVER                      | a field that was edited on the server is left
                                | description=                                      |                                 | notice ~{description} EDITED_ON_SERVER                | a field that was emptied on the server is left
                                | title=Head                                        | overwrite                       | update {title} EDITED_ON_SERVER                       | a field that was edited on the server is changed back with --overwrite
                                | jobType=CONTRACT, atsJobUrl=https://ats.example/1 |                                 |                                                       | a field that neither file nor state has is the server's
                                | jobType=CONTRACT                                  | overwrite                       |                                                       | a field that neither file nor state has is not touched with --overwrite
  salaryMin=1                   | title=Head                                        |                                 | update {salaryMin} EDITED_ON_SERVER                   | a clean change is made beside an edit of the server's, which is told
  salaryMin=1                   | title=Head                                        | overwrite                       | update {title,salaryMin} EDITED_ON_SERVER             | both go to the server with --overwrite
  salaryMin=1                   | title=Head, salaryMin=1                           |                                 | record EDITED_ON_SERVER                               | something to remember is remembered beside an edit of the server's
  title=Senior                  | title=Head                                        |                                 | held ~{title} BOTH_CHANGED                            | a field that changed on both sides holds the listing
  title=Senior, salaryMin=1     | title=Head                                        |                                 | held ~{title,salaryMin} BOTH_CHANGED                  | a field that changed on both sides holds the clean changes too
  title=Senior                  | title=Head, salaryMin=2                           |                                 | held ~{title,salaryMin} BOTH_CHANGED EDITED_ON_SERVER | a held listing shows the edits of the server as well
  title=Senior                  | title=Head                                        | overwrite                       | update {title} EDITED_ON_SERVER                       | a field that changed on both sides is as the file says with --overwrite
  title=Head                    | title=Head                                        |                                 | record                                                | a field that both sides changed to the same is only remembered
  salaryMin=null                |                                                   |                                 | update {salaryMin}                                    | a field that was emptied in the file is emptied
  -salaryMin                    |                                                   |                                 | update {salaryMin}                                    | a field that was dropped from the file is emptied
  -salaryMin                    | salaryMin=2                                       |                                 | held ~{salaryMin} BOTH_CHANGED                        | a field that was dropped and edited on the server is a conflict
  -salaryMin                    | salaryMin=2                                       | overwrite                       | update {salaryMin} EDITED_ON_SERVER                   | a field that was dropped and edited on the server is emptied with --overwrite
  -salaryMin                    | salaryMin=null                                    |                                 | record                                                | a field that was dropped and is empty on the server is only forgotten
  publish                       | status=DRAFT                                      |                                 | publish +publish                                      | a draft that is to be live is published
  title=Senior, publish         | status=DRAFT                                      |                                 | update {title} +publish                               | a draft that has changed and is to be live is updated and published
                                | status=DRAFT                                      |                                 |                                                       | a draft that is to stay one stays one
  publish                       | title=Head, status=DRAFT                          |                                 | publish +publish EDITED_ON_SERVER                     | a draft with an edit of the server's is published as it is, and the edit told
  title=Senior, publish         | title=Head, status=DRAFT                          |                                 | held ~{title} BOTH_CHANGED                            | a draft that changed on both sides is not published
  publish                       |                                                   |                                 |                                                       | a live job is not published again
  title=Senior                  |                                                   |                                 | update {title}                                        | a live job whose listing does not ask to be live is left live
  publish                       | status=PAUSED                                     |                                 | notice PAUSED                                         | a paused job is left paused
  title=Senior, publish         | status=PAUSED                                     |                                 | update {title} PAUSED                                 | a paused job is updated and left paused
                                | status=PAUSED                                     |                                 |                                                       | a paused job whose listing does not ask to be live is nothing to know
  publish                       | title=Head, status=PAUSED                         |                                 | notice ~{title} EDITED_ON_SERVER PAUSED               | a paused job with an edit of the server's tells both
  title=Senior                  | status=IN_REVIEW                                  |                                 | update {title}                                        | a job of an unknown status is updated
                                | status=IN_REVIEW                                  |                                 |                                                       | a job of an unknown status whose listing does not ask to be live is nothing to know
  publish                       | status=IN_REVIEW                                  |                                 | held STATUS_UNKNOWN                                   | a job of an unknown status is never published, and not told as live
  title=Senior, publish         | status=IN_REVIEW                                  |                                 | update {title} STATUS_UNKNOWN                         | a job of an unknown status that is to be live is updated, and not told as live
  publish                       | status=undefined                                  |                                 | held STATUS_UNKNOWN                                   | a job that the server gives no status is not told as live
  title=Head, publish           | title=Head, status=IN_REVIEW                      |                                 | held STATUS_UNKNOWN                                   | a job of an unknown status that has the change already is held all the same
                                | status=CLOSED                                     |                                 | notice CLOSED                                         | a closed job is told of
  title=Senior                  | status=CLOSED                                     |                                 | held ~{title} CLOSED                                  | a closed job whose listing changed is held
  title=Senior                  | status=CLOSED                                     | overwrite repost recreate prune | held ~{title} CLOSED                                  | a closed job is held with every option
  title=Senior                  | title=Senior, status=CLOSED                       |                                 | record CLOSED                                         | a closed job that has the change already is only remembered
                                | title=Head, status=CLOSED                         |                                 | notice CLOSED                                         | an edit before a job was closed is nothing to know
  license                       | status=CLOSED, isFrozen                           |                                 | held ~{qualifications} CLOSED                         | a closed job is not told to be frozen
  publish                       | status=EXPIRED                                    |                                 | notice EXPIRED                                        | an expired job is told of
  title=Senior                  | status=EXPIRED                                    |                                 | held ~{title} EXPIRED                                 | an expired job whose listing changed is held
  publish                       | status=EXPIRED                                    | repost                          | create +publish for 1 EXPIRED                         | an expired job becomes a new one with --repost
                                | status=EXPIRED                                    | repost                          | create for 1 EXPIRED                                  | an expired job becomes a draft with --repost where it is not to be live
  title=Senior, publish         | status=EXPIRED                                    | repost                          | create +publish for 1 EXPIRED                         | an expired job whose listing changed becomes a new one with --repost
                                |                                                   | repost                          |                                                       | --repost leaves what has not expired
                                |                                                   | recreate                        |                                                       | --recreate leaves what the server knows
                                | isFrozen                                          |                                 |                                                       | a frozen job that is as applied needs nothing
  license                       | isFrozen                                          |                                 | held ~{qualifications} FROZEN                         | qualifications of a frozen job are held
  title=Senior, license         | isFrozen                                          |                                 | update {title} FROZEN                                 | what is not locked on a frozen job is changed
  license                       | isFrozen                                          | overwrite                       | held ~{qualifications} FROZEN                         | qualifications of a frozen job are not sent with --overwrite
                                | license, isFrozen                                 |                                 | notice ~{qualifications} EDITED_ON_SERVER             | an edit of locked fields is left
                                | license, isFrozen                                 | overwrite                       | held ~{qualifications} FROZEN                         | an edit of locked fields cannot be changed back
  qualifications=[]             | license, isFrozen                                 |                                 | held ~{qualifications} FROZEN                         | qualifications that changed on both sides are locked all the same
  title=Senior, license         | title=Head, isFrozen                              |                                 | held ~{title,qualifications} BOTH_CHANGED FROZEN      | a conflict holds what a lock would let through
  license                       | license, isFrozen                                 |                                 | record                                                | qualifications that a frozen job has already are only remembered
`;

/** `title=Senior, publish, -salaryMin`: values that are set, true and dropped. */
function given(text: string): Record<string, unknown> {
  const entries = text.split(', ').flatMap((word) => {
    const [name = '', value] = word.split('=');
    if (name === '') return [];
    if (name === 'license') return Object.entries(OTHER_LICENSE);
    if (name.startsWith('-') || value === 'undefined') return [[name.replace('-', ''), undefined]];
    const isJson = value !== undefined && /^(?:null|\d+|\[.*)$/.test(value);
    return [[name, isJson ? JSON.parse(value) : (value ?? true)]];
  });
  return Object.fromEntries(entries);
}

const ONE: readonly Row[] = ONE_LISTING.trim()
  .split('\n')
  .map((row) => {
    const [file = '', server = '', flags = '', line = '', promise = ''] = row
      .split('|')
      .map((cell) => cell.trim());
    const now = Object.entries({ ...NURSE, ...given(file) }).filter(([, value]) => value !== undefined);
    const options = Object.fromEntries(flags.split(' ').map((flag) => [flag, true]));
    return [
      promise,
      optioned(one(Object.fromEntries(now), {}, given(server)), options),
      line === '' ? [] : [line],
    ];
  });

const CREATES: readonly Row[] = [
  ['a listing without a job is created', { files: { 'a.json': NURSE } }, ['create a.json']],
  [
    'a new listing that is to be live is published at once',
    { files: { 'a.json': { ...NURSE, publish: true } } },
    ['create a.json +publish'],
  ],
  [
    'every listing of a file is one',
    { files: { 'a.json': [NURSE, WELDER] } },
    ['create a.json', 'create a.json#1'],
  ],
  [
    'two files of one opening are two postings',
    { files: { 'a.json': OPENING, 'b.json': OPENING } },
    ['create a.json', 'create b.json'],
  ],
  [
    'two files that are alike are two postings',
    { files: { 'a.json': NURSE, 'b.json': NURSE } },
    ['create a.json', 'create b.json'],
  ],
  [
    'a create of unknown outcome is settled, never created',
    { files: { 'a.json': NURSE }, pending: ['a.json'] },
    ['settle a.json OUTCOME_UNKNOWN'],
  ],
  [
    'a create of unknown outcome holds up no other',
    { files: { 'a.json': NURSE, 'b.json': WELDER }, pending: ['a.json'] },
    ['settle a.json OUTCOME_UNKNOWN', 'create b.json'],
  ],
  [
    'a repost of unknown outcome is settled, never sent again',
    optioned({ ...one(NURSE, {}, { status: 'EXPIRED' }), pending: ['a.json'] }, { repost: true }),
    ['settle a.json OUTCOME_UNKNOWN'],
  ],
  [
    'a create of unknown outcome is told of after its file has gone',
    { pending: ['gone.json'] },
    ['settle gone.json OUTCOME_UNKNOWN'],
  ],
  [
    'a create of unknown outcome in a file of another run is not mentioned',
    { pending: ['b.json'], elsewhere: ['b.json'] },
    [],
  ],
];

const CONTENTS: readonly Row[] = [
  [
    "an empty field that was dropped is the server's from then on",
    {
      files: { 'a.json': NURSE },
      state: { 'a.json': applied(1, { ...NURSE, jobType: null }) },
      server: [job(1, { ...NURSE, jobType: 'CONTRACT' })],
    },
    ['record a.json job 1'],
  ],
  [
    'a field that the server leaves out is never one that was edited',
    { ...one(NURSE), server: [{ id: 1, status: 'ACTIVE', title: 'Nurse' }] },
    [],
  ],
  [
    'a field that the server leaves out is sent where the file changed',
    { ...one({ ...NURSE, salaryMin: 1 }), server: [{ id: 1, status: 'ACTIVE', title: 'Nurse' }] },
    ['update a.json job 1 {salaryMin}'],
  ],
  [
    'what the server made of a field is no edit',
    {
      files: { 'a.json': NURSE },
      state: { 'a.json': applied(1, NURSE, { title: 'NURSE' }) },
      server: [job(1, { ...NURSE, title: 'NURSE' })],
    },
    [],
  ],
  [
    'what the server made of a field is no conflict with a change',
    {
      files: { 'a.json': { ...NURSE, title: 'Cook' } },
      state: { 'a.json': applied(1, NURSE, { title: 'NURSE' }) },
      server: [job(1, { ...NURSE, title: 'NURSE' })],
    },
    ['update a.json job 1 {title}'],
  ],
  [
    'an edit after what the server made of a field is one',
    {
      files: { 'a.json': NURSE },
      state: { 'a.json': applied(1, NURSE, { title: 'NURSE' }) },
      server: [job(1, { ...NURSE, title: 'Head nurse' })],
    },
    ['notice a.json job 1 ~{title} EDITED_ON_SERVER'],
  ],
  [
    'a server that has come round to the file is as applied',
    {
      files: { 'a.json': NURSE },
      state: { 'a.json': applied(1, NURSE, { title: 'NURSE' }) },
      server: [job(1, NURSE)],
    },
    [],
  ],
  [
    'budgets in another order are the same',
    {
      files: {
        'a.json': {
          budgets: [
            { window: 'DAILY', budgetCents: 1 },
            { window: 'WEEKLY', budgetCents: 2 },
          ],
        },
      },
      state: {
        'a.json': applied(1, {
          budgets: [
            { window: 'WEEKLY', budgetCents: 2, notes: null },
            { window: 'DAILY', budgetCents: 1 },
          ],
        }),
      },
      server: [
        job(1, {
          budgets: [
            { window: 'WEEKLY', budgetCents: 2, notes: '' },
            { window: 'DAILY', budgetCents: 1 },
          ],
        }),
      ],
    },
    [],
  ],
];

const ADOPTED = { job: 1, applied: {} };
const ADOPTIONS: readonly Row[] = [
  [
    'an adopted job that is as the file says is only remembered',
    { files: { 'a.json': NURSE }, state: { 'a.json': ADOPTED }, server: [job(1, NURSE)] },
    ['record a.json job 1'],
  ],
  [
    'an adopted job that is empty gets what the file says',
    { files: { 'a.json': WELDER }, state: { 'a.json': ADOPTED }, server: [job(1, {}, { status: 'DRAFT' })] },
    ['update a.json job 1 {title,description}'],
  ],
  [
    'an adopted job with other content is held',
    {
      files: { 'a.json': WELDER },
      state: { 'a.json': ADOPTED },
      server: [job(1, { ...WELDER, title: 'Cook' })],
    },
    ['held a.json job 1 ~{title} BOTH_CHANGED'],
  ],
  [
    'an adopted job with other content is as the file says with --overwrite',
    {
      files: { 'a.json': WELDER },
      state: { 'a.json': ADOPTED },
      server: [job(1, { ...WELDER, title: 'Cook' })],
      options: { overwrite: true },
    },
    ['update a.json job 1 {title}'],
  ],
  [
    'an adopted draft that is to be live is published',
    {
      files: { 'a.json': { ...WELDER, publish: true } },
      state: { 'a.json': ADOPTED },
      server: [job(1, WELDER, { status: 'DRAFT' })],
    },
    ['publish a.json job 1 +publish'],
  ],
];

const STATES: readonly Row[] = [
  [
    'a job that the server does not know is held',
    { ...one(NURSE), server: [] },
    ['held a.json job 1 JOB_GONE'],
  ],
  [
    'a job that the server does not know is created with --recreate',
    { ...one({ ...NURSE, publish: true }), server: [], options: { recreate: true } },
    ['create a.json +publish for 1 JOB_GONE'],
  ],
];

const FROZEN = { isFrozen: true };
const LOCKS: readonly Row[] = [
  [
    'questions that were dropped from a frozen job are held',
    {
      files: { 'a.json': WELDER },
      state: {
        'a.json': applied(1, { ...WELDER, questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }] }),
      },
      server: [
        job(1, { ...WELDER, questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }] }, FROZEN),
      ],
    },
    ['held a.json job 1 ~{questions} FROZEN'],
  ],
];

const MOVES: readonly Row[] = [
  [
    'a renamed file keeps its job by its opportunityId',
    { files: { 'b.json': OPENING }, state: { 'a.json': applied(1, OPENING) }, server: [job(1, OPENING)] },
    ['record b.json job 1 was a.json MOVED'],
  ],
  [
    'a renamed file that changed is updated',
    {
      files: { 'b.json': { ...OPENING, title: 'Senior nurse' } },
      state: { 'a.json': applied(1, OPENING) },
      server: [job(1, OPENING)],
    },
    ['update b.json job 1 {title} was a.json MOVED'],
  ],
  [
    'a renamed file of a draft that is to be live is published',
    {
      files: { 'b.json': { ...OPENING, publish: true } },
      state: { 'a.json': applied(1, OPENING) },
      server: [job(1, OPENING, { status: 'DRAFT' })],
    },
    ['publish b.json job 1 +publish was a.json MOVED'],
  ],
  [
    'a renamed file of a closed job is remembered and told',
    {
      files: { 'b.json': OPENING },
      state: { 'a.json': applied(1, OPENING) },
      server: [job(1, OPENING, { status: 'CLOSED' })],
    },
    ['record b.json job 1 was a.json CLOSED MOVED'],
  ],
  [
    'a renamed file of a job that is gone is held',
    { files: { 'b.json': OPENING }, state: { 'a.json': applied(1, OPENING) } },
    ['held b.json job 1 was a.json JOB_GONE MOVED'],
  ],
  [
    'a renamed file without an opportunityId is a new listing',
    { files: { 'b.json': NURSE }, state: { 'a.json': applied(1, NURSE) }, server: [job(1, NURSE)] },
    ['create b.json', 'notice a.json job 1 NO_LONGER_WANTED'],
  ],
  [
    'a copy is not a rename: the first file is outside of this run',
    {
      files: { 'b.json': OPENING },
      state: { 'a.json': applied(1, OPENING) },
      server: [job(1, OPENING)],
      elsewhere: ['a.json'],
    },
    ['create b.json'],
  ],
  [
    'a copy is not a rename: the first file is in this run',
    {
      files: { 'a.json': OPENING, 'b.json': OPENING },
      state: { 'a.json': applied(1, OPENING) },
      server: [job(1, OPENING)],
    },
    ['create b.json'],
  ],
  [
    'two files of one opening keep their own jobs',
    {
      files: { 'a.json': OPENING, 'b.json': { ...OPENING, title: 'Night nurse' } },
      state: { 'a.json': applied(1, OPENING), 'b.json': applied(2, { ...OPENING, title: 'Night nurse' }) },
      server: [job(1, OPENING), job(2, { ...OPENING, title: 'Night nurse' })],
    },
    [],
  ],
  [
    'two files of one opening that swap what they say keep their own jobs',
    {
      files: { 'a.json': { ...OPENING, title: 'Night nurse' }, 'b.json': OPENING },
      state: { 'a.json': applied(1, OPENING), 'b.json': applied(2, { ...OPENING, title: 'Night nurse' }) },
      server: [job(1, OPENING), job(2, { ...OPENING, title: 'Night nurse' })],
    },
    ['update a.json job 1 {title}', 'update b.json job 2 {title}'],
  ],
  [
    'two renamed files of one opening are not told apart',
    {
      files: { 'c.json': OPENING, 'd.json': OPENING },
      state: { 'a.json': applied(1, OPENING), 'b.json': applied(2, OPENING) },
      server: [job(1, OPENING), job(2, OPENING)],
    },
    [
      'create c.json',
      'create d.json',
      'notice a.json job 1 NO_LONGER_WANTED',
      'notice b.json job 2 NO_LONGER_WANTED',
    ],
  ],
  [
    'one of two files of an opening that was renamed is a new posting: nothing says that it is the same',
    {
      files: { 'a.json': OPENING, 'c.json': { ...OPENING, title: 'x' } },
      state: { 'a.json': applied(1, OPENING), 'b.json': applied(2, OPENING) },
      server: [job(1, OPENING), job(2, OPENING)],
    },
    ['create c.json', 'notice b.json job 2 NO_LONGER_WANTED'],
  ],
  [
    'files that changed names with each other keep their jobs',
    {
      files: { 'a.json': { ...WELDER, opportunityId: 'W' }, 'b.json': OPENING },
      state: { 'a.json': applied(1, OPENING), 'b.json': applied(2, { ...WELDER, opportunityId: 'W' }) },
      server: [job(1, OPENING), job(2, { ...WELDER, opportunityId: 'W' })],
    },
    ['record a.json job 2 was b.json MOVED', 'record b.json job 1 was a.json MOVED'],
  ],
  [
    'a row taken from the top of an array shifts no job',
    {
      files: { 'a.json': [WELDER, COOK] },
      state: { 'a.json': applied(1, NURSE), 'a.json#1': applied(2, WELDER), 'a.json#2': applied(3, COOK) },
      server: [job(1, NURSE), job(2, WELDER), job(3, COOK)],
    },
    [
      'record a.json job 2 was a.json#1 MOVED',
      'record a.json#1 job 3 was a.json#2 MOVED',
      'notice a.json#unlisted-1 job 1 NO_LONGER_WANTED',
    ],
  ],
  [
    'a row put on top of an array shifts no job',
    {
      files: { 'a.json': [NURSE, WELDER, COOK] },
      state: { 'a.json': applied(2, WELDER), 'a.json#1': applied(3, COOK) },
      server: [job(2, WELDER), job(3, COOK)],
    },
    ['create a.json', 'record a.json#1 job 2 was a.json MOVED', 'record a.json#2 job 3 was a.json#1 MOVED'],
  ],
  [
    'a row taken from the top of an array shifts no job, though all are of one opening',
    {
      files: { 'a.json': [{ ...OPENING, title: 'Night nurse' }] },
      state: {
        'a.json': applied(1, OPENING),
        'a.json#1': applied(2, { ...OPENING, title: 'Night nurse' }),
      },
      server: [job(1, OPENING), job(2, { ...OPENING, title: 'Night nurse' })],
    },
    ['record a.json job 2 was a.json#1 MOVED', 'notice a.json#unlisted-1 job 1 NO_LONGER_WANTED'],
  ],
  [
    'a row of an opening that changed keeps its job, where others of it have left the file',
    {
      files: { 'a.json': [{ ...OPENING, title: 'Senior nurse' }, OPENING] },
      state: {
        'a.json': applied(1, OPENING),
        'a.json#1': applied(2, OPENING),
        'b.json': applied(3, OPENING),
      },
      server: [job(1, OPENING), job(2, OPENING), job(3, OPENING)],
    },
    ['update a.json job 1 {title}', 'notice b.json job 3 NO_LONGER_WANTED'],
  ],
  [
    'rows that move and change keep their jobs by their opportunityId',
    {
      files: { 'a.json': [{ ...OPENING, title: 'Senior nurse' }] },
      state: { 'a.json': applied(1, { ...WELDER, opportunityId: 'W' }), 'a.json#1': applied(2, OPENING) },
      server: [job(1, { ...WELDER, opportunityId: 'W' }), job(2, OPENING)],
    },
    ['update a.json job 2 {title} was a.json#1 MOVED', 'notice a.json#unlisted-1 job 1 NO_LONGER_WANTED'],
  ],
  [
    'the job of a row that another row has moved over can be closed',
    {
      files: { 'a.json': [WELDER] },
      state: { 'a.json': applied(1, NURSE), 'a.json#1': applied(2, WELDER) },
      server: [job(1, NURSE), job(2, WELDER)],
      options: { prune: true },
    },
    ['record a.json job 2 was a.json#1 MOVED', 'close a.json#unlisted-1 job 1 forget NO_LONGER_WANTED'],
  ],
  [
    'a row that comes back finds its job',
    {
      files: { 'a.json': [WELDER, NURSE] },
      state: { 'a.json': applied(2, WELDER), 'a.json#unlisted-1': applied(1, NURSE) },
      server: [job(1, NURSE), job(2, WELDER)],
    },
    ['record a.json#1 job 1 was a.json#unlisted-1 MOVED'],
  ],
  [
    'rows that are alike are not told apart, and stay where they are',
    {
      files: { 'a.json': [WELDER, WELDER] },
      state: { 'a.json': applied(1, WELDER), 'a.json#1': applied(2, WELDER) },
      server: [job(1, WELDER), job(2, WELDER)],
    },
    [],
  ],
  [
    'the same content in another file is another posting',
    {
      files: { 'b.json': [NURSE] },
      state: { 'a.json#1': applied(1, NURSE) },
      server: [job(1, NURSE)],
      elsewhere: ['a.json'],
    },
    ['create b.json'],
  ],
  [
    'an opportunityId that changed in its file changes the job',
    {
      files: { 'a.json': { ...OPENING, opportunityId: 'N-2' } },
      state: { 'a.json': applied(1, OPENING) },
      server: [job(1, OPENING)],
    },
    ['update a.json job 1 {opportunityId}'],
  ],
];

const gone = (status: string | undefined, prune: boolean): Given => ({
  state: { 'a.json': applied(1, NURSE) },
  server: status === undefined ? [] : [job(1, NURSE, { status })],
  options: { prune },
});
const ORPHANS: readonly Row[] = [
  [
    'what is outside of this run is not closed with --prune',
    { ...gone('ACTIVE', true), elsewhere: ['a.json'] },
    [],
  ],
  [
    "an edit of the server's does not keep a job from being closed",
    { state: { 'a.json': applied(1, NURSE) }, server: [job(1, WELDER)], options: { prune: true } },
    ['close a.json job 1 forget NO_LONGER_WANTED'],
  ],
  [
    'what is no longer wanted comes last, by key',
    {
      files: { 'z.json': WELDER },
      state: { 'b.json': applied(2, COOK), 'a.json': applied(1, NURSE) },
      server: [job(1, NURSE), job(2, COOK)],
      options: { prune: true },
    },
    [
      'create z.json',
      'close a.json job 1 forget NO_LONGER_WANTED',
      'close b.json job 2 forget NO_LONGER_WANTED',
    ],
  ],
];

const TABLE = { CREATES, CONTENTS, ADOPTIONS, STATES, LOCKS, MOVES, ORPHANS };

describe('the plan of files, state and server', () => {
  for (const [group, rows] of Object.entries(TABLE)) {
    describe(group.toLowerCase(), () => {
      for (const [promise, given, lines] of rows) {
        it(promise, () => assert.deepEqual(linesOf(planned(given).plan), lines));
      }
    });
  }

  for (const [promise, state, lines] of ONE) {
    it(promise, () => {
      const shown = linesOf(planned(state).plan).map((line) => line.replace(/ a\.json(?: job 1)?/, ''));
      assert.deepEqual(shown, lines);
    });
  }

  const NOTED = 'notice a.json job 1 NO_LONGER_WANTED';
  const FORGOTTEN = 'record a.json job 1 forget NO_LONGER_WANTED';
  for (const [status, lines, pruned] of [
    ['ACTIVE', [NOTED], 'close a.json job 1 forget NO_LONGER_WANTED'],
    ['PAUSED', [NOTED], 'close a.json job 1 forget NO_LONGER_WANTED'],
    ['DRAFT', [NOTED], 'notice a.json job 1 DRAFT_NOT_CLOSED'],
    ['CLOSED', [], FORGOTTEN],
    ['EXPIRED', [], FORGOTTEN],
    [undefined, [], FORGOTTEN],
    ['IN_REVIEW', [NOTED], NOTED],
  ] as const) {
    it(`a job of status ${status} that no file asks for is told of or not, and with --prune closed or forgotten`, () => {
      assert.deepEqual(linesOf(planned(gone(status, false)).plan), lines);
      assert.deepEqual(linesOf(planned(gone(status, true)).plan), [pruned]);
    });
  }

  it('counts the listings that need nothing', () => {
    const { plan } = planned({ ...one(NURSE), files: { 'a.json': NURSE, 'b.json': WELDER } });
    assert.deepEqual([plan.unchanged, plan.items.length, plan.notices.length], [1, 1, 0]);
  });

  it('shows what the server has and what the file says, without ids', () => {
    const { plan } = planned(one({ ...NURSE, ...OTHER_LICENSE }));
    assert.deepEqual(plan.items[0]?.changes, [
      { field: 'qualifications', from: NURSE.qualifications, to: OTHER_LICENSE.qualifications },
    ]);
    assert.deepEqual(plan.items[0]?.patch, OTHER_LICENSE);
  });

  it('empties a dropped field in the way of its kind', () => {
    const full: JobUpdate = { ...NURSE, title: 'x', budgets: [{ window: 'DAILY', budgetCents: 1 }] };
    const { plan } = planned({
      files: { 'a.json': {} },
      state: { 'a.json': applied(1, full) },
      server: [job(1, full)],
    });
    const empty = { title: '', description: '', salaryMin: null, qualifications: [], budgets: [] };
    assert.deepEqual(plan.items[0]?.patch, empty);
  });

  it('names the fields and what to type in a note, and never the listing', () => {
    const { plan } = planned(
      one({ ...NURSE, title: 'Senior nurse', salaryMin: 1 }, { title: 'x', salaryMin: 2 }),
    );
    const [note] = plan.items[0]?.notes ?? [];
    assert.match(note?.message ?? '', /title and salaryMin are neither/);
    assert.match(note?.hint ?? '', /--overwrite/);
    assert.doesNotMatch(note?.message ?? '', /a\.json/);
  });
});
