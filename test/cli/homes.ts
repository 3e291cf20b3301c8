import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { storeApplication } from '../engine/stored-application.ts';
import { type Home, newHome } from './partner.ts';

/*
 * Homes in which something has been done already. Each is prepared once, by the binary itself, and handed out
 * as a copy: a test may do with it what it likes.
 */

/** Job 1 is a complete draft, job 2 a draft with a title alone; nothing is settled in the dashboard. */
export const withDrafts = prepared(newHome, async (home) => {
  await home.must(['jobs', 'create', await home.file('complete.json', COMPLETE_LISTING)]);
  await home.must(['jobs', 'create', '--title', 'Night nurse']);
});

/** The same, with the employer terms accepted and no card on file. */
export const withTerms = prepared(withDrafts, (home) => home.must(['dashboard', 'accept-terms']));

/** The same with a card on file: what publishes a complete draft. */
export const withCard = prepared(withTerms, (home) => home.must(['dashboard', 'add-card']));

/** The same, with job 1 live. */
export const withLiveJob = prepared(withCard, (home) => home.must(['jobs', 'publish', '1']));

/** A user who has made nothing yet, with the bundled engine's company and key. */
export const withEngine = prepared(newHome, (home) => home.run('jobs publish 1'));

/** A candidate for a COMPLETE_LISTING, with a resume in `cv.txt`. */
export const APPLICANT = {
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.com',
  phone: '+1 512 555 0100',
  location: 'Austin, TX',
  resume: 'cv.txt',
  answers: { 'Which license do you hold?': 'A', 'Years since you were licensed': 4 },
  meets: 'all',
};

/** Applications to job 1 that nobody has decided on, numbered from 1, straight into the engine's database. */
export async function receiveApplications({ database }: Home, count: number): Promise<void> {
  const store = await openSqliteStore(database);
  try {
    await store.write(async (queries) => {
      for (let received = 0; received < count; received++) await storeApplication(queries, 1);
    });
  } finally {
    await store.close();
  }
}

export function prepared(from: () => Promise<Home>, prepare: (home: Home) => Promise<unknown>) {
  let once: Promise<Home> | undefined;
  const original = async (): Promise<Home> => {
    const home = await from();
    await prepare(home);
    return home;
  };
  return async () => {
    once ??= original();
    return (await once).copy();
  };
}
