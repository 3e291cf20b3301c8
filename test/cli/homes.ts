import { openSqliteStore } from '../../src/engine/store/sqlite.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { storeApplication } from '../engine/stored-application.ts';
import { type Home, newHome } from './partner.ts';

// Each home is prepared once and copied for every test, so that a test can change its copy.

export const withDrafts = prepared(newHome, async (home) => {
  await home.must(['jobs', 'create', await home.file('complete.json', COMPLETE_LISTING)]);
  await home.must(['jobs', 'create', '--title', 'Night nurse']);
});

export const withTerms = prepared(withDrafts, (home) => home.must(['dashboard', 'accept-terms']));

export const withCard = prepared(withTerms, (home) => home.must(['dashboard', 'add-card']));

export const withLiveJob = prepared(withCard, (home) => home.must(['jobs', 'publish', '1']));

/** Publishing a missing job fails, but creates the bundled engine's company and key. */
export const withEngine = prepared(newHome, (home) => home.run('jobs publish 1'));

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
