import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plan } from '../../src/bulk/plan/plan-item.ts';
import { savePlan } from '../../src/bulk/plan/saved-plan.ts';
import type { BulkRequest } from '../../src/bulk/session.ts';
import { openJournal } from '../../src/bulk/state/journal.ts';
import { lockState } from '../../src/bulk/state/lock.ts';
import { findState, writeLastRun } from '../../src/bulk/state/state-file.ts';
import { saveProfile } from '../../src/cli/settings/profiles.ts';
import { openCreatedJobs, openShownPlaces } from '../../src/cli/settings/server-memory.ts';
import { NO_ANSWERS } from '../../src/commands/jobs/form/answers.ts';
import { readKeptAnswers, writeKeptAnswers } from '../../src/commands/jobs/form/form.ts';
import { PartnerError } from '../../src/contract/errors.ts';
import { createFileStore } from '../../src/engine/applications/files.ts';
import { localKey } from '../../src/engine/companies/keys.ts';
import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { writeReports } from '../../src/reports/formats.ts';
import { stateOf, writeState } from '../bulk/state/states.ts';
import { PDF } from '../engine/applications/documents.ts';
import { APPLY_RUN, PLAN_RUN } from '../reports/sample-run.ts';
import { tempDirectory } from '../temp-directory.ts';

const SERVER = 'https://api.acme.example/v1';
const SELF = { pid: 1, host: 'here', since: '2026-03-02T09:00:00.000Z', command: 'partner jobs apply' };
const RUN = { server: SERVER, now: () => 0, runId: 'r', host: 'here', pid: 1 };
const BOSTON = {
  locationId: 1,
  displayName: 'Boston, MA, United States',
  city: 'Boston',
  stateProvince: 'MA',
  country: 'United States',
};

/** Targets of a link, next to its directory. */
const TARGETS = ['a file', 'nothing', 'a directory'] as const;

describe('no file outside is made or changed, and the link is named, where a link to', () => {
  const temp = tempDirectory();
  const at = (path: string): string => join(temp(), 'ours', path);

  const state = at.bind(undefined, 'jobs/.partner/state.json');
  const found = () => findState({ root: at('jobs'), cwd: temp() });
  const onStore = async (work: (store: Store) => Promise<unknown>): Promise<void> => {
    const store = await openSqliteStore(at('data/engine/partner.db'));
    await work(store).finally(() => store.close());
  };
  const inFiles = (store: Store) =>
    createFileStore({
      store,
      directory: at('data/engine/partner.db-files'),
      machine: Date.now,
      reportBug: assert.ifError,
    });
  const upload = (store: Store) => inFiles(store).put({ name: 'cv.pdf', content: PDF, now: 0 });
  const digest = createHash('sha256').update(PDF).digest('hex');

  /** Everything that writes the CLI's own files. A writer throws or returns a message. */
  const WRITERS: Readonly<Record<string, (() => unknown)[]>> = {
    'jobs/.partner': [found],
    'jobs/.partner/.gitignore': [found],
    'jobs/.partner/state.json': [found, () => writeState(state(), stateOf({}))],
    'jobs/.partner/state.journal.ndjson': [found, () => openJournal(state(), RUN)],
    'jobs/.partner/state.last-run.json': [found, () => writeLastRun(state(), { failed: [], at: 0 })],
    'jobs/.partner/state.lock': [found],
    ...database('jobs/.partner/state.lock.db', found, () => lockState(state(), SELF)),
    'config/config.json': [() => saveProfile(at('config'), { name: 'acme', baseUrl: SERVER })],
    ...database('config/.lock', () => saveProfile(at('config'), { name: 'acme', baseUrl: SERVER })),
    'data/ledger.ndjson': [() => openCreatedJobs(at('data/ledger.ndjson'), { baseUrl: SERVER }).append(1, 0)],
    'data/form.json': [
      () => readKeptAnswers(at('data/form.json')),
      () => writeKeptAnswers(at('data/form.json'), { answers: NO_ANSWERS, keptAt: '' }),
    ],
    'data/places.json': [
      () => {
        const shown = openShownPlaces(at('data/places.json'), SERVER);
        shown.add([BOSTON]);
        return shown.save();
      },
    ],
    'data/engine/key': [() => onStore((store) => localKey(store, at('data/engine/key'), 0))],
    ...database('data/engine/partner.db', () => onStore(async () => {})),
    [`data/engine/partner.db-files/${digest}`]: [() => onStore(upload)],
    'data/engine/partner.db-files.reset': [() => onStore((store) => inFiles(store).contents.reset())],
  };

  function database(path: string, ...writers: (() => unknown)[]): Record<string, (() => unknown)[]> {
    return Object.fromEntries(['', '-journal', '-wal', '-shm'].map((ending) => [path + ending, writers]));
  }

  const OUTSIDE = { 'a file': 'theirs', 'a directory': 'directory', nothing: 'nothing' };
  function link(path: string, target: (typeof TARGETS)[number]): string {
    const outside = join(temp(), 'outside');
    fs.mkdirSync(join(outside, OUTSIDE['a directory']), { recursive: true });
    fs.writeFileSync(join(outside, OUTSIDE['a file']), 'theirs');
    fs.mkdirSync(dirname(at(path)), { recursive: true });
    fs.symlinkSync(join(outside, OUTSIDE[target]), at(path));
    return at(path);
  }
  function assertOutsideIsUntouched(): void {
    const outside = join(temp(), 'outside');
    assert.deepEqual(fs.readdirSync(outside, { recursive: true }).sort(), ['directory', 'theirs']);
    assert.equal(fs.readFileSync(join(outside, 'theirs'), 'utf8'), 'theirs');
  }

  for (const target of TARGETS) {
    for (const [path, writers] of Object.entries(WRITERS))
      it(`${target} is in the place of ${path.replace(digest, 'DIGEST')}`, async () => {
        for (const write of writers) {
          const linked = link(path, target);
          const said = await Promise.resolve()
            .then(write)
            .catch((error: unknown) => {
              assert.ok(error instanceof PartnerError, String(error));
              assert.equal(error.code, 'LINK_REFUSED');
              return error.message;
            });
          assert.ok(String(said).includes(`refusing to use a symbolic link: ${linked}`), String(said));
          assertOutsideIsUntouched();
          assert.equal(fs.lstatSync(linked).isSymbolicLink(), true, 'the link is left as it is');
          for (const room of ['ours', 'outside']) fs.rmSync(join(temp(), room), { recursive: true });
        }
      });

    it(`${target} is in the place of a report or a plan: it is replaced`, async () => {
      for (const write of [
        (file: string) => writeReports([{ format: 'json', file }], APPLY_RUN, { writeErr: async () => {} }),
        (file: string) =>
          savePlan(file, PLAN_RUN.plan as Plan, { paths: ['jobs'] } as unknown as BulkRequest, SERVER, 0),
      ]) {
        const linked = link('out.json', target);
        await write(linked);
        assertOutsideIsUntouched();
        assert.equal(fs.lstatSync(linked).isFile(), true);
        assert.ok(fs.statSync(linked).size > 0);
        fs.rmSync(join(temp(), 'ours'), { recursive: true });
      }
    });
  }
});
