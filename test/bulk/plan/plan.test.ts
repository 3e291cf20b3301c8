import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { JobUpdate } from '../../../src/contract/job.ts';
import contents from './contents.json' with { type: 'json' };
import { applied, type Given, givenOf, job, linesOf, planned, type Written } from './given.ts';
import oneJob from './one-job.json' with { type: 'json' };

const CONTENTS_OF = contents as Readonly<Record<string, JobUpdate>>;
const NURSE = contents.nurse as JobUpdate;
const OTHER_LICENSE: JobUpdate = { qualifications: [{ text: 'Other license', kind: 'REQUIRED', order: 1 }] };

/** One listing that was applied as NURSE, with its current file and job. */
function one(file: JobUpdate & { publish?: boolean }, server: JobUpdate = {}, over = {}): Given {
  return {
    files: { 'a.json': file },
    state: { 'a.json': applied(1, NURSE) },
    server: [job(1, { ...NURSE, ...server }, over)],
  };
}

const tableIn = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

type Row = readonly [promise: string, given: Given, lines: readonly string[]];

const optioned = (given: Given, options: Given['options']): Given => ({ ...given, options: { ...options } });

/**
 * Cases for one listing that was applied as NURSE. Columns: changes in the file, changes on the server, options, the
 * planned line without `KEY job 1`, and the title.
 */
const ONE_LISTING = tableIn('one-listing.txt');

/** Parses changes. `title=Senior, publish, -salaryMin` sets title, sets publish to true and removes salaryMin. */
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

/**
 * Cases for several listings, without `.json`. Columns: files (`!` means publish), state, other facts, planned lines and
 * the title. By default, jobs are live and have the applied content.
 */
const SETS = tableIn('sets.txt');

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
      const [, key = '', id = '', content = '', name] = /^(.+)=(\d+):([^:]+)(?::(.+))?$/.exec(word) ?? [];
      return {
        key: key.replace(/^\w+/, '$&.json'),
        id: Number(id),
        content: CONTENTS_OF[content] ?? {},
        name,
      };
    });
    const given: Given = {
      files: Object.fromEntries(
        files.map((word) => {
          const [file = '', contents = ''] = word.split('=');
          const listings = contents.split(',').map((word) => {
            const [name = '', key] = word.split(':');
            return {
              ...CONTENTS_OF[name.replace('!', '')],
              publish: name.endsWith('!'),
              ...(key && { key }),
            };
          });
          return [`${file}.json`, listings];
        }),
      ),
      state: Object.fromEntries(
        entries.map(({ key, id, content, name }) => [key, { ...applied(id, content), key: name }]),
      ),
      server: entries
        .filter(({ id }) => !ofMore('gone').includes(`${id}`))
        .map(({ id, content }) => job(id, content, { status: ofMore(`${id}`)[0] ?? 'ACTIVE' })),
      options: {
        ...Object.fromEntries(
          more.filter((word) => word.startsWith('--')).map((word) => [word.slice(2), true]),
        ),
        replace: more.includes('--replace') ? ['a.json'] : [],
      },
      pending: ofMore('pending').map((name) => `${name}.json`),
      elsewhere: ofMore('elsewhere').map((name) => `${name}.json`),
    };
    return [cells[4] ?? '', given, (cells[3] ?? '').split('; ').filter(Boolean)];
  });

/** Cases for one listing: the file and the job now, and the last applied content. */
const ONE_JOB = (oneJob as unknown as readonly (Written & { promise: string; lines: string[] })[]).map(
  ({ promise, lines, ...written }): Row => [promise, givenOf(written), lines],
);

const gone = (status: string | undefined, prune: boolean): Given => ({
  state: { 'a.json': applied(1, NURSE) },
  server: status === undefined ? [] : [job(1, NURSE, { status })],
  options: { prune },
});
describe('the plan of files, state and server', () => {
  for (const [promise, given, lines] of ONE_JOB)
    it(promise, () => assert.deepEqual(linesOf(planned(given).plan), lines));

  for (const [promise, state, lines] of KEYED)
    it(promise, () => {
      const shown = linesOf(planned(state).plan).map((line) => line.replaceAll('.json', ''));
      assert.deepEqual(shown, lines);
    });

  for (const [promise, state, lines] of ONE)
    it(promise, () => {
      const shown = linesOf(planned(state).plan).map((line) => line.replace(/ a\.json(?: job 1)?/, ''));
      assert.deepEqual(shown, lines);
    });

  const NOTED = 'notice a.json job 1 NO_LONGER_WANTED';
  const FORGOTTEN = 'record a.json job 1 forget NO_LONGER_WANTED';
  for (const [status, lines, pruned] of [
    ['ACTIVE', [NOTED], 'close a.json job 1 forget NO_LONGER_WANTED'],
    ['PAUSED', [NOTED], 'close a.json job 1 forget NO_LONGER_WANTED'],
    ['DRAFT', [NOTED], 'notice a.json job 1 DRAFT_NOT_CLOSED'],
    ['CLOSED', [], FORGOTTEN],
    ['EXPIRED', [], FORGOTTEN],
    [undefined, [], FORGOTTEN],
    ['IN_REVIEW', [NOTED], 'held a.json job 1 NO_LONGER_WANTED'],
  ] as const)
    it(`reports or ignores a job without a listing if its status is ${status}, and --prune removes its entry if possible`, () => {
      assert.deepEqual(linesOf(planned(gone(status, false)).plan), lines);
      assert.deepEqual(linesOf(planned(gone(status, true)).plan), [pruned]);
    });

  it('shows the values of the server and the file without IDs', () => {
    const { plan } = planned(one({ ...NURSE, ...OTHER_LICENSE }));
    assert.deepEqual(plan.items[0]?.changes, [
      { field: 'qualifications', from: NURSE.qualifications, to: OTHER_LICENSE.qualifications },
    ]);
    assert.deepEqual(plan.items[0]?.patch, OTHER_LICENSE);
  });

  it('clears a removed field with the empty value of its type', () => {
    const full: JobUpdate = { ...NURSE, title: 'x', budgets: [{ window: 'DAILY', budgetCents: 1 }] };
    const { plan } = planned({
      files: { 'a.json': {} },
      state: { 'a.json': applied(1, full) },
      server: [job(1, full)],
    });
    const empty = { title: '', description: '', salaryMin: null, qualifications: [], budgets: [] };
    assert.deepEqual(plan.items[0]?.patch, empty);
  });

  it('includes fields and flags in a note, but not the listing', () => {
    const { plan } = planned(
      one({ ...NURSE, title: 'Senior nurse', salaryMin: 1 }, { title: 'x', salaryMin: 2 }),
    );
    const [note] = plan.items[0]?.notes ?? [];
    assert.match(note?.message ?? '', /conflict: title and salaryMin changed/);
    assert.match(note?.hint ?? '', /--overwrite/);
    assert.doesNotMatch(note?.message ?? '', /a\.json/);
  });
});
