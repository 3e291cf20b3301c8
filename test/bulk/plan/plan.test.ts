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
                                | title=Head                                        |                                 | notice ~{title} EDITED_ON_SERVER                      | a field that was edited on the server is left
                                | title=Head                                        | overwrite                       | update {title} EDITED_ON_SERVER                       | a field that was edited on the server is changed back with --overwrite
                                | jobType=CONTRACT, atsJobUrl=https://ats.example/1 |                                 |                                                       | a field that neither file nor state has is the server's
                                | jobType=CONTRACT                                  | overwrite                       |                                                       | a field that neither file nor state has is not touched with --overwrite
  salaryMin=1                   | title=Head                                        |                                 | update {salaryMin} EDITED_ON_SERVER                   | a clean change is made beside an edit of the server's, which is told
  title=Senior                  | title=Head                                        |                                 | held ~{title} BOTH_CHANGED                            | a field that changed on both sides holds the listing
  title=Senior, salaryMin=1     | title=Head                                        |                                 | held ~{title,salaryMin} BOTH_CHANGED                  | a field that changed on both sides holds the clean changes too
  title=Senior                  | title=Head                                        | overwrite                       | update {title} EDITED_ON_SERVER                       | a field that changed on both sides is as the file says with --overwrite
  salaryMin=null                |                                                   |                                 | update {salaryMin}                                    | a field that was emptied in the file is emptied
  -salaryMin                    |                                                   |                                 | update {salaryMin}                                    | a field that was dropped from the file is emptied
  -salaryMin                    | salaryMin=2                                       |                                 | held ~{salaryMin} BOTH_CHANGED                        | a field that was dropped and edited on the server is a conflict
  -salaryMin                    | salaryMin=2                                       | overwrite                       | update {salaryMin} EDITED_ON_SERVER                   | a field that was dropped and edited on the server is emptied with --overwrite
  -salaryMin                    | salaryMin=null                                    |                                 | record                                                | a field that was dropped and is empty on the server is only forgotten
  publish                       | status=DRAFT                                      |                                 | publish +publish                                      | a draft that is to be live is published
  title=Senior, publish         | status=DRAFT                                      |                                 | update {title} +publish                               | a draft that has changed and is to be live is updated and published
  publish                       | title=Head, status=DRAFT                          |                                 | publish +publish EDITED_ON_SERVER                     | a draft with an edit of the server's is published as it is, and the edit told
  publish                       |                                                   |                                 |                                                       | a live job is not published again
  publish                       | status=PAUSED                                     |                                 | notice PAUSED                                         | a paused job is left paused
  title=Senior, publish         | status=PAUSED                                     |                                 | update {title} PAUSED                                 | a paused job is updated and left paused
                                | status=PAUSED                                     |                                 |                                                       | a paused job whose listing does not ask to be live is nothing to know
  title=Senior                  | status=IN_REVIEW                                  |                                 | update {title}                                        | a job of an unknown status is updated
                                | status=IN_REVIEW                                  |                                 |                                                       | a job of an unknown status whose listing does not ask to be live is nothing to know
  publish                       | status=IN_REVIEW                                  |                                 | held STATUS_UNKNOWN                                   | a job of an unknown status is never published, and not told as live
  title=Senior, publish         | status=IN_REVIEW                                  |                                 | update {title} STATUS_UNKNOWN                         | a job of an unknown status that is to be live is updated, and not told as live
                                | status=CLOSED                                     |                                 | notice CLOSED                                         | a closed job is told of
  title=Senior                  | status=CLOSED                                     |                                 | held ~{title} CLOSED                                  | a closed job whose listing changed is held
  title=Senior                  | status=CLOSED                                     | overwrite repost recreate prune | held ~{title} CLOSED                                  | a closed job is held with every option
  title=Senior                  | title=Senior, status=CLOSED                       |                                 | record CLOSED                                         | a closed job that has the change already is only remembered
                                | title=Head, status=CLOSED                         |                                 | notice CLOSED                                         | an edit before a job was closed is nothing to know
                                | status=EXPIRED                                    |                                 | notice EXPIRED                                        | an expired job that needn't be live is told of
  title=Senior, publish         | title=Senior, status=EXPIRED                      |                                 | held EXPIRED                                          | an expired job that should be live is held, even if it has the change already
  publish                       | status=CLOSED                                     | repost overwrite                | held CLOSED                                           | a job that someone closed and that should be live is held
  publish                       | status=EXPIRED                                    |                                 | held EXPIRED                                          | an expired job that should be live is held
  title=Senior                  | status=EXPIRED                                    |                                 | held ~{title} EXPIRED                                 | an expired job whose listing changed is held
  publish                       | status=EXPIRED                                    | repost                          | create +publish for 1 EXPIRED                         | an expired job becomes a new one with --repost
                                | status=EXPIRED                                    | repost                          | create for 1 EXPIRED                                  | an expired job becomes a draft with --repost where it is not to be live
                                |                                                   | repost                          |                                                       | --repost leaves what has not expired
                                |                                                   | recreate                        |                                                       | --recreate leaves what the server knows
  license                       | isFrozen                                          |                                 | held ~{qualifications} FROZEN                         | qualifications of a frozen job are held
  title=Senior, license         | isFrozen                                          |                                 | update {title} FROZEN                                 | what is not locked on a frozen job is changed
  license                       | isFrozen                                          | overwrite                       | held ~{qualifications} FROZEN                         | qualifications of a frozen job are not sent with --overwrite
                                | license, isFrozen                                 |                                 | notice ~{qualifications} EDITED_ON_SERVER             | an edit of locked fields is left
                                | license, isFrozen                                 | overwrite                       | held ~{qualifications} FROZEN                         | an edit of locked fields cannot be changed back
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

const CONTENTS_OF: Readonly<Record<string, JobUpdate>> = {
  nurse: NURSE,
  welder: WELDER,
  cook: COOK,
  opening: OPENING,
  night: { ...OPENING, title: 'Night nurse' },
  senior: { ...OPENING, title: 'Senior nurse' },
  x: { ...OPENING, title: 'x' },
  opening2: { ...OPENING, opportunityId: 'N-2' },
  welder2: { ...WELDER, opportunityId: 'W' },
};

/**
 * Files (`!` is to be live), the state, what else there is (jobs are as they were applied, and live), what is done, and
 * the promise; `.json` is left out.
 */
const SETS = `
  a=nurse             |                                       |                              | create a                                                                                                 | a listing without a job is created
  a=nurse!            |                                       |                              | create a +publish                                                                                        | a new listing that is to be live is published at once
  a=nurse,welder      |                                       |                              | create a; create a#1                                                                                     | every listing of a file is one
  a=opening b=opening |                                       |                              | create a; create b                                                                                       | two files of one opening are two postings
  a=nurse b=nurse     |                                       |                              | create a; create b                                                                                       | two files that are alike are two postings
  a=nurse             |                                       | pending=a                    | settle a OUTCOME_UNKNOWN                                                                                 | a create of unknown outcome is settled, never created
  a=nurse             | a=1:nurse                             | 1=EXPIRED --repost pending=a | settle a OUTCOME_UNKNOWN                                                                                 | a repost of unknown outcome is settled, never sent again
                      |                                       | pending=gone                 | settle gone OUTCOME_UNKNOWN                                                                              | a create of unknown outcome is told of after its file has gone
                      |                                       | pending=b elsewhere=b        |                                                                                                          | a create of unknown outcome in a file of another run is not mentioned
  a=nurse             | a=1:nurse                             | gone=1                       | held a job 1 JOB_GONE                                                                                    | a job that the server does not know is held
  a=nurse!            | a=1:nurse                             | gone=1 --recreate            | create a +publish for 1 JOB_GONE                                                                         | a job that the server does not know is created with --recreate
  b=opening           | a=1:opening                           |                              | record b job 1 was a MOVED                                                                               | a renamed file keeps its job by its opportunityId
  b=opening           | a=1:opening                           | 1=CLOSED                     | record b job 1 was a CLOSED MOVED                                                                        | a renamed file of a closed job is remembered and told
  b=opening           | a=1:opening                           | gone=1                       | held b job 1 was a JOB_GONE MOVED                                                                        | a renamed file of a job that is gone is held
  b=nurse             | a=1:nurse                             |                              | create b; notice a job 1 NO_LONGER_WANTED                                                                | a renamed file without an opportunityId is a new listing
  b=opening           | a=1:opening                           | elsewhere=a                  | create b                                                                                                 | a copy is not a rename: the first file is outside of this run
  a=opening b=opening | a=1:opening                           |                              | create b                                                                                                 | a copy is not a rename: the first file is in this run
  a=opening b=night   | a=1:opening b=2:night                 |                              |                                                                                                          | two files of one opening keep their own jobs
  a=night b=opening   | a=1:opening b=2:night                 |                              | update a job 1 {title}; update b job 2 {title}                                                           | two files of one opening that swap what they say keep their own jobs
  c=opening d=opening | a=1:opening b=2:opening               |                              | create c; create d; notice a job 1 NO_LONGER_WANTED; notice b job 2 NO_LONGER_WANTED                     | two renamed files of one opening are not told apart
  a=opening c=x       | a=1:opening b=2:opening               |                              | create c; notice b job 2 NO_LONGER_WANTED                                                                | one of two files of an opening that was renamed is a new posting: nothing says that it is the same
  a=welder2 b=opening | a=1:opening b=2:welder2               |                              | record a job 2 was b MOVED; record b job 1 was a MOVED                                                   | files that changed names with each other keep their jobs
  a=welder,cook       | a=1:nurse a#1=2:welder a#2=3:cook     |                              | record a job 2 was a#1 MOVED; record a#1 job 3 was a#2 MOVED; notice a#unlisted-1 job 1 NO_LONGER_WANTED | a row taken from the top of an array shifts no job
  a=nurse,welder,cook | a=2:welder a#1=3:cook                 |                              | create a; record a#1 job 2 was a MOVED; record a#2 job 3 was a#1 MOVED                                   | a row put on top of an array shifts no job
  a=night             | a=1:opening a#1=2:night               |                              | record a job 2 was a#1 MOVED; notice a#unlisted-1 job 1 NO_LONGER_WANTED                                 | a row taken from the top of an array shifts no job, though all are of one opening
  a=senior,opening    | a=1:opening a#1=2:opening b=3:opening |                              | update a job 1 {title}; notice b job 3 NO_LONGER_WANTED                                                  | a row of an opening that changed keeps its job, where others of it have left the file
  a=senior            | a=1:welder2 a#1=2:opening             |                              | update a job 2 {title} was a#1 MOVED; notice a#unlisted-1 job 1 NO_LONGER_WANTED                         | rows that move and change keep their jobs by their opportunityId
  a=welder            | a=1:nurse a#1=2:welder                | --prune                      | record a job 2 was a#1 MOVED; close a#unlisted-1 job 1 forget NO_LONGER_WANTED                           | the job of a row that another row has moved over can be closed
  a=welder,nurse      | a=2:welder a#unlisted-1=1:nurse       |                              | record a#1 job 1 was a#unlisted-1 MOVED                                                                  | a row that comes back finds its job
  a=welder,welder     | a=1:welder a#1=2:welder               |                              |                                                                                                          | rows that are alike are not told apart, and stay where they are
  b=nurse             | a#1=1:nurse                           | elsewhere=a                  | create b                                                                                                 | the same content in another file is another posting
  a=opening2          | a=1:opening                           |                              | update a job 1 {opportunityId}                                                                           | an opportunityId that changed in its file changes the job
                      | a=1:nurse                             | --prune elsewhere=a          |                                                                                                          | what is outside of this run is not closed with --prune
  z=welder            | b=2:cook a=1:nurse                    | --prune                      | create z; close a job 1 forget NO_LONGER_WANTED; close b job 2 forget NO_LONGER_WANTED                   | what is no longer wanted comes last, by key
`;

const KEYED: readonly Row[] = SETS.trim()
  .split('\n')
  .map((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    const [files = [], state = [], more = []] = cells
      .slice(0, 3)
      .map((cell) => cell.split(' ').filter(Boolean));
    const ofMore = (name: string) =>
      more.flatMap((word) => (word.startsWith(`${name}=`) ? word.slice(name.length + 1) : []));
    const entries = state.map((word) => {
      const [, key = '', id = '', content = ''] = /^(.+)=(\d+):(.+)$/.exec(word) ?? [];
      return { key: key.replace(/^\w+/, '$&.json'), id: Number(id), content: CONTENTS_OF[content] ?? {} };
    });
    const given: Given = {
      files: Object.fromEntries(
        files.map((word) => {
          const [file = '', contents = ''] = word.split('=');
          const listings = contents.split(',').map((name) => ({
            ...CONTENTS_OF[name.replace('!', '')],
            publish: name.endsWith('!'),
          }));
          return [`${file}.json`, listings];
        }),
      ),
      state: Object.fromEntries(entries.map(({ key, id, content }) => [key, applied(id, content)])),
      server: entries
        .filter(({ id }) => !ofMore('gone').includes(`${id}`))
        .map(({ id, content }) => job(id, content, { status: ofMore(`${id}`)[0] ?? 'ACTIVE' })),
      options: Object.fromEntries(
        more.filter((word) => word.startsWith('--')).map((word) => [word.slice(2), true]),
      ),
      pending: ofMore('pending').map((name) => `${name}.json`),
      elsewhere: ofMore('elsewhere').map((name) => `${name}.json`),
    };
    return [cells[4] ?? '', given, (cells[3] ?? '').split('; ').filter(Boolean)];
  });

const WHY: JobUpdate = { ...WELDER, questions: [{ prompt: 'Why?', answerFormat: 'TEXT', order: 1 }] };

const CONTENTS: readonly Row[] = [
  [
    'questions that were dropped from a frozen job are held',
    {
      files: { 'a.json': WELDER },
      state: { 'a.json': applied(1, WHY) },
      server: [job(1, WHY, { isFrozen: true })],
    },
    ['held a.json job 1 ~{questions} FROZEN'],
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
    'what the server made of a field is no edit',
    {
      files: { 'a.json': NURSE },
      state: { 'a.json': applied(1, NURSE, { title: 'NURSE' }) },
      server: [job(1, { ...NURSE, title: 'NURSE' })],
    },
    [],
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
];

const gone = (status: string | undefined, prune: boolean): Given => ({
  state: { 'a.json': applied(1, NURSE) },
  server: status === undefined ? [] : [job(1, NURSE, { status })],
  options: { prune },
});
const ORPHANS: readonly Row[] = [
  [
    "an edit of the server's does not keep a job from being closed",
    { state: { 'a.json': applied(1, NURSE) }, server: [job(1, WELDER)], options: { prune: true } },
    ['close a.json job 1 forget NO_LONGER_WANTED'],
  ],
];

const TABLE = { CONTENTS, ADOPTIONS, ORPHANS };

describe('the plan of files, state and server', () => {
  for (const [group, rows] of Object.entries(TABLE)) {
    describe(group.toLowerCase(), () => {
      for (const [promise, given, lines] of rows) {
        it(promise, () => assert.deepEqual(linesOf(planned(given).plan), lines));
      }
    });
  }

  for (const [promise, state, lines] of KEYED) {
    it(promise, () => {
      const shown = linesOf(planned(state).plan).map((line) => line.replaceAll('.json', ''));
      assert.deepEqual(shown, lines);
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
