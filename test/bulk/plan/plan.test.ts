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
const without = (content: JobUpdate, ...fields: (keyof JobUpdate)[]): JobUpdate =>
  Object.fromEntries(Object.entries(content).filter(([field]) => !fields.includes(field as keyof JobUpdate)));

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
  ['a listing that is as it was applied needs nothing', one(NURSE), []],
  [
    'a field that changed in the file is sent, alone',
    one({ ...NURSE, title: 'Senior nurse' }),
    ['update a.json job 1 {title}'],
  ],
  [
    'fields are sent in the order of the specification',
    one({ ...NURSE, salaryMin: 60_000, title: 'Senior nurse' }),
    ['update a.json job 1 {title,salaryMin}'],
  ],
  [
    'a field that is new in the file and empty on the server is sent',
    one({ ...NURSE, jobType: 'FULL_TIME' }),
    ['update a.json job 1 {jobType}'],
  ],
  [
    'a field that is new in the file and set on the server is a conflict',
    one({ ...NURSE, jobType: 'FULL_TIME' }, { jobType: 'CONTRACT' }),
    ['held a.json job 1 ~{jobType} BOTH_CHANGED'],
  ],
  [
    'a field that is new in the file and the same on the server is only remembered',
    one({ ...NURSE, jobType: 'FULL_TIME' }, { jobType: 'FULL_TIME' }),
    ['record a.json job 1'],
  ],
  [
    'an empty field that is new in the file and empty on the server is only remembered',
    one({ ...NURSE, remoteCountry: null }),
    ['record a.json job 1'],
  ],
  [
    'a change that the server has already is only remembered',
    one({ ...NURSE, title: 'Senior nurse' }, { title: 'Senior nurse' }),
    ['record a.json job 1'],
  ],
  [
    'a change that is there already is not sent beside one that is not',
    one({ ...NURSE, title: 'Senior nurse', salaryMin: 1 }, { title: 'Senior nurse' }),
    ['update a.json job 1 {salaryMin}'],
  ],
  [
    'a field that was edited on the server is left',
    one(NURSE, { title: 'Head nurse' }),
    ['notice a.json job 1 ~{title} EDITED_ON_SERVER'],
  ],
  [
    'a field that was emptied on the server is left',
    one(NURSE, { description: '' }),
    ['notice a.json job 1 ~{description} EDITED_ON_SERVER'],
  ],
  [
    'a field that was edited on the server is changed back with --overwrite',
    optioned(one(NURSE, { title: 'Head nurse' }), { overwrite: true }),
    ['update a.json job 1 {title} EDITED_ON_SERVER'],
  ],
  [
    "a field that neither file nor state has is the server's",
    one(NURSE, { jobType: 'CONTRACT', atsJobUrl: 'https://ats.example/1' }),
    [],
  ],
  [
    'a field that neither file nor state has is not touched with --overwrite',
    optioned(one(NURSE, { jobType: 'CONTRACT' }), { overwrite: true }),
    [],
  ],
  [
    "a clean change is made beside an edit of the server's, which is told",
    one({ ...NURSE, salaryMin: 1 }, { title: 'Head nurse' }),
    ['update a.json job 1 {salaryMin} EDITED_ON_SERVER'],
  ],
  [
    'both go to the server with --overwrite',
    optioned(one({ ...NURSE, salaryMin: 1 }, { title: 'Head nurse' }), { overwrite: true }),
    ['update a.json job 1 {title,salaryMin} EDITED_ON_SERVER'],
  ],
  [
    "something to remember is remembered beside an edit of the server's",
    one({ ...NURSE, salaryMin: 1 }, { title: 'Head nurse', salaryMin: 1 }),
    ['record a.json job 1 EDITED_ON_SERVER'],
  ],
  [
    'a field that changed on both sides holds the listing',
    one({ ...NURSE, title: 'Senior nurse' }, { title: 'Head nurse' }),
    ['held a.json job 1 ~{title} BOTH_CHANGED'],
  ],
  [
    'a field that changed on both sides holds the clean changes too',
    one({ ...NURSE, title: 'Senior nurse', salaryMin: 1 }, { title: 'Head nurse' }),
    ['held a.json job 1 ~{title,salaryMin} BOTH_CHANGED'],
  ],
  [
    'a held listing shows the edits of the server as well',
    one({ ...NURSE, title: 'Senior nurse' }, { title: 'Head nurse', salaryMin: 2 }),
    ['held a.json job 1 ~{title,salaryMin} BOTH_CHANGED EDITED_ON_SERVER'],
  ],
  [
    'a field that changed on both sides is as the file says with --overwrite',
    optioned(one({ ...NURSE, title: 'Senior nurse' }, { title: 'Head nurse' }), { overwrite: true }),
    ['update a.json job 1 {title} EDITED_ON_SERVER'],
  ],
  [
    'a field that both sides changed to the same is only remembered',
    one({ ...NURSE, title: 'Head nurse' }, { title: 'Head nurse' }),
    ['record a.json job 1'],
  ],
  [
    'a field that was emptied in the file is emptied',
    one({ ...NURSE, salaryMin: null }),
    ['update a.json job 1 {salaryMin}'],
  ],
  [
    'a field that was dropped from the file is emptied',
    one(without(NURSE, 'salaryMin')),
    ['update a.json job 1 {salaryMin}'],
  ],
  [
    'a field that was dropped and edited on the server is a conflict',
    one(without(NURSE, 'salaryMin'), { salaryMin: 2 }),
    ['held a.json job 1 ~{salaryMin} BOTH_CHANGED'],
  ],
  [
    'a field that was dropped and edited on the server is emptied with --overwrite',
    optioned(one(without(NURSE, 'salaryMin'), { salaryMin: 2 }), { overwrite: true }),
    ['update a.json job 1 {salaryMin} EDITED_ON_SERVER'],
  ],
  [
    'a field that was dropped and is empty on the server is only forgotten',
    one(without(NURSE, 'salaryMin'), { salaryMin: null }),
    ['record a.json job 1'],
  ],
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
    'a draft that is to be live is published',
    one({ ...NURSE, publish: true }, {}, { status: 'DRAFT' }),
    ['publish a.json job 1 +publish'],
  ],
  [
    'a draft that has changed and is to be live is updated and published',
    one({ ...NURSE, title: 'Senior nurse', publish: true }, {}, { status: 'DRAFT' }),
    ['update a.json job 1 {title} +publish'],
  ],
  ['a draft that is to stay one stays one', one(NURSE, {}, { status: 'DRAFT' }), []],
  [
    "a draft with an edit of the server's is published as it is, and the edit told",
    one({ ...NURSE, publish: true }, { title: 'Head nurse' }, { status: 'DRAFT' }),
    ['publish a.json job 1 +publish EDITED_ON_SERVER'],
  ],
  [
    'a draft that changed on both sides is not published',
    one({ ...NURSE, title: 'Senior nurse', publish: true }, { title: 'Head nurse' }, { status: 'DRAFT' }),
    ['held a.json job 1 ~{title} BOTH_CHANGED'],
  ],
  ['a live job is not published again', one({ ...NURSE, publish: true }), []],
  [
    'a live job whose listing does not ask to be live is left live',
    one({ ...NURSE, title: 'Senior nurse' }),
    ['update a.json job 1 {title}'],
  ],
  [
    'a paused job is left paused',
    one({ ...NURSE, publish: true }, {}, { status: 'PAUSED' }),
    ['notice a.json job 1 PAUSED'],
  ],
  [
    'a paused job is updated and left paused',
    one({ ...NURSE, title: 'Senior nurse', publish: true }, {}, { status: 'PAUSED' }),
    ['update a.json job 1 {title} PAUSED'],
  ],
  [
    'a paused job whose listing does not ask to be live is nothing to know',
    one(NURSE, {}, { status: 'PAUSED' }),
    [],
  ],
  [
    "a paused job with an edit of the server's tells both",
    one({ ...NURSE, publish: true }, { title: 'Head nurse' }, { status: 'PAUSED' }),
    ['notice a.json job 1 ~{title} EDITED_ON_SERVER PAUSED'],
  ],
  [
    'a job of an unknown status is updated',
    one({ ...NURSE, title: 'Senior nurse' }, {}, { status: 'IN_REVIEW' }),
    ['update a.json job 1 {title}'],
  ],
  [
    'a job of an unknown status whose listing does not ask to be live is nothing to know',
    one(NURSE, {}, { status: 'IN_REVIEW' }),
    [],
  ],
  [
    'a job of an unknown status is never published, and not told as live',
    one({ ...NURSE, publish: true }, {}, { status: 'IN_REVIEW' }),
    ['held a.json job 1 STATUS_UNKNOWN'],
  ],
  [
    'a job of an unknown status that is to be live is updated, and not told as live',
    one({ ...NURSE, title: 'Senior nurse', publish: true }, {}, { status: 'IN_REVIEW' }),
    ['update a.json job 1 {title} STATUS_UNKNOWN'],
  ],
  [
    'a job that the server gives no status is not told as live',
    one({ ...NURSE, publish: true }, {}, { status: undefined }),
    ['held a.json job 1 STATUS_UNKNOWN'],
  ],
  [
    'a job of an unknown status that has the change already is held all the same',
    one({ ...NURSE, title: 'Head nurse', publish: true }, { title: 'Head nurse' }, { status: 'IN_REVIEW' }),
    ['held a.json job 1 STATUS_UNKNOWN'],
  ],
  ['a closed job is told of', one(NURSE, {}, { status: 'CLOSED' }), ['notice a.json job 1 CLOSED']],
  [
    'a closed job whose listing changed is held',
    one({ ...NURSE, title: 'Senior nurse' }, {}, { status: 'CLOSED' }),
    ['held a.json job 1 ~{title} CLOSED'],
  ],
  [
    'a closed job is held with every option',
    optioned(one({ ...NURSE, title: 'Senior nurse' }, {}, { status: 'CLOSED' }), {
      overwrite: true,
      repost: true,
      recreate: true,
      prune: true,
    }),
    ['held a.json job 1 ~{title} CLOSED'],
  ],
  [
    'a closed job that has the change already is only remembered',
    one({ ...NURSE, title: 'Senior nurse' }, { title: 'Senior nurse' }, { status: 'CLOSED' }),
    ['record a.json job 1 CLOSED'],
  ],
  [
    'an edit before a job was closed is nothing to know',
    one(NURSE, { title: 'Head nurse' }, { status: 'CLOSED' }),
    ['notice a.json job 1 CLOSED'],
  ],
  [
    'a closed job is not told to be frozen',
    one({ ...NURSE, ...OTHER_LICENSE }, {}, { status: 'CLOSED', isFrozen: true }),
    ['held a.json job 1 ~{qualifications} CLOSED'],
  ],
  [
    'an expired job is told of',
    one({ ...NURSE, publish: true }, {}, { status: 'EXPIRED' }),
    ['notice a.json job 1 EXPIRED'],
  ],
  [
    'an expired job whose listing changed is held',
    one({ ...NURSE, title: 'Senior nurse' }, {}, { status: 'EXPIRED' }),
    ['held a.json job 1 ~{title} EXPIRED'],
  ],
  [
    'an expired job becomes a new one with --repost',
    optioned(one({ ...NURSE, publish: true }, {}, { status: 'EXPIRED' }), { repost: true }),
    ['create a.json +publish for 1 EXPIRED'],
  ],
  [
    'an expired job becomes a draft with --repost where it is not to be live',
    optioned(one(NURSE, {}, { status: 'EXPIRED' }), { repost: true }),
    ['create a.json for 1 EXPIRED'],
  ],
  [
    'an expired job whose listing changed becomes a new one with --repost',
    optioned(one({ ...NURSE, title: 'Senior nurse', publish: true }, {}, { status: 'EXPIRED' }), {
      repost: true,
    }),
    ['create a.json +publish for 1 EXPIRED'],
  ],
  ['--repost leaves what has not expired', optioned(one(NURSE), { repost: true }), []],
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
  ['--recreate leaves what the server knows', optioned(one(NURSE), { recreate: true }), []],
];

const FROZEN = { isFrozen: true };
const LOCKS: readonly Row[] = [
  ['a frozen job that is as applied needs nothing', one(NURSE, {}, FROZEN), []],
  [
    'qualifications of a frozen job are held',
    one({ ...NURSE, ...OTHER_LICENSE }, {}, FROZEN),
    ['held a.json job 1 ~{qualifications} FROZEN'],
  ],
  [
    'what is not locked on a frozen job is changed',
    one({ ...NURSE, ...OTHER_LICENSE, title: 'Senior nurse' }, {}, FROZEN),
    ['update a.json job 1 {title} FROZEN'],
  ],
  [
    'qualifications of a frozen job are not sent with --overwrite',
    optioned(one({ ...NURSE, ...OTHER_LICENSE }, {}, FROZEN), { overwrite: true }),
    ['held a.json job 1 ~{qualifications} FROZEN'],
  ],
  [
    'an edit of locked fields is left',
    one(NURSE, OTHER_LICENSE, FROZEN),
    ['notice a.json job 1 ~{qualifications} EDITED_ON_SERVER'],
  ],
  [
    'an edit of locked fields cannot be changed back',
    optioned(one(NURSE, OTHER_LICENSE, FROZEN), { overwrite: true }),
    ['held a.json job 1 ~{qualifications} FROZEN'],
  ],
  [
    'qualifications that changed on both sides are locked all the same',
    one({ ...NURSE, qualifications: [] }, OTHER_LICENSE, FROZEN),
    ['held a.json job 1 ~{qualifications} FROZEN'],
  ],
  [
    'a conflict holds what a lock would let through',
    one({ ...NURSE, ...OTHER_LICENSE, title: 'Senior nurse' }, { title: 'Head nurse' }, FROZEN),
    ['held a.json job 1 ~{title,qualifications} BOTH_CHANGED FROZEN'],
  ],
  [
    'qualifications that a frozen job has already are only remembered',
    one({ ...NURSE, ...OTHER_LICENSE }, OTHER_LICENSE, FROZEN),
    ['record a.json job 1'],
  ],
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
    'a live job that no file asks for is told of',
    gone('ACTIVE', false),
    ['notice a.json job 1 NO_LONGER_WANTED'],
  ],
  [
    'a paused job that no file asks for is told of',
    gone('PAUSED', false),
    ['notice a.json job 1 NO_LONGER_WANTED'],
  ],
  [
    'a draft that no file asks for is told of',
    gone('DRAFT', false),
    ['notice a.json job 1 NO_LONGER_WANTED'],
  ],
  ['a closed job that no file asks for is nothing to know', gone('CLOSED', false), []],
  ['an expired job that no file asks for is nothing to know', gone('EXPIRED', false), []],
  ['a job that is gone and that no file asks for is nothing to know', gone(undefined, false), []],
  [
    'a live job that no file asks for is closed with --prune',
    gone('ACTIVE', true),
    ['close a.json job 1 forget NO_LONGER_WANTED'],
  ],
  [
    'a paused job that no file asks for is closed with --prune',
    gone('PAUSED', true),
    ['close a.json job 1 forget NO_LONGER_WANTED'],
  ],
  [
    'a draft that no file asks for cannot be closed',
    gone('DRAFT', true),
    ['notice a.json job 1 DRAFT_NOT_CLOSED'],
  ],
  [
    'a closed job that no file asks for is forgotten with --prune',
    gone('CLOSED', true),
    ['record a.json job 1 forget NO_LONGER_WANTED'],
  ],
  [
    'an expired job that no file asks for is forgotten with --prune',
    gone('EXPIRED', true),
    ['record a.json job 1 forget NO_LONGER_WANTED'],
  ],
  [
    'a job that is gone and that no file asks for is forgotten with --prune',
    gone(undefined, true),
    ['record a.json job 1 forget NO_LONGER_WANTED'],
  ],
  [
    'a job of an unknown status is not closed with --prune',
    gone('IN_REVIEW', true),
    ['notice a.json job 1 NO_LONGER_WANTED'],
  ],
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
