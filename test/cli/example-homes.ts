import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataPaths } from '../../src/cli/settings/directories.ts';
import { JOB_STATUSES, type JobStatus, LISTING_MS } from '../../src/contract/values.ts';
import { type Engine, openEngine } from '../../src/engine/open.ts';
import { sqliteFile } from '../../src/engine/store/address.ts';
import { COMPLETE_LISTING } from '../contract/complete-listing.ts';
import { KEY } from '../spec-server/server.ts';
import { APPLICANT, prepared } from './homes.ts';
import { type Home, newHome } from './partner.ts';

const WAY_TO: Readonly<Record<JobStatus, readonly string[]>> = {
  DRAFT: [],
  ACTIVE: ['publish'],
  PAUSED: ['publish', 'pause'],
  CLOSED: ['publish', 'close'],
  EXPIRED: ['publish'],
};

const PLACES = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));

/** Homes in which the help's examples run as written; jobs 12 and 13 exist only if a status is given. */
export function exampleHomes(acmeUrl: string): (status?: JobStatus) => Promise<Home> {
  const without = prepared(newHome, (home) => settle(home, acmeUrl));
  const within = new Map(
    JOB_STATUSES.map((status) => [status, prepared(without, (home) => makeJobs(home, status))]),
  );
  return (status) => (within.get(status as JobStatus) ?? without)();
}

async function settle(home: Home, acmeUrl: string): Promise<void> {
  for (const folder of ['jobs/north', '.config/fish/completions'])
    await mkdir(join(home.path, folder), { recursive: true });
  await home.file('nurse.json', COMPLETE_LISTING);
  await home.file('jobs/north/electrician.json', COMPLETE_LISTING);
  await home.file('terms.txt', 'Listings run for 30 days.');
  await home.file('draft.json', { title: 'Night nurse' });
  await home.file('changes.json', { title: 'Senior nurse', salaryMax: 60 });
  await home.file('cv.txt', 'Ada Byron, journeyman electrician');
  await home.file('applicant.json', APPLICANT);
  const acme = { baseUrl: acmeUrl, key: KEY };
  await chmod(await home.file('config/config.json', { profiles: { acme } }), 0o600);
}

export async function makeJobs({ database, data }: Home, status: JobStatus): Promise<void> {
  const publishedAt = Date.now() - (status === 'EXPIRED' ? LISTING_MS : 0);
  const engine = await openEngine({
    database: sqliteFile(database),
    placesPath: PLACES,
    clock: () => publishedAt,
  });
  try {
    const { key, companyId } = await engine.localKey(dataPaths({ config: undefined, data }).localKey);
    await engine.operator.dashboard.acceptTerms(companyId);
    await engine.operator.dashboard.addCard(companyId);
    const call = calling(engine, key);
    for (let id = 1; id < 12; id++) await call('/jobs', { title: `Listing ${id}` });
    for (const id of [12, 13]) {
      await call('/jobs', COMPLETE_LISTING);
      for (const step of WAY_TO[status]) await call(`/jobs/${id}/${step}`);
    }
  } finally {
    await engine.close();
  }
}

function calling({ fetch }: Engine, key: string) {
  return async (path: string, body?: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
    const answer = await fetch(new Request(`http://localhost/v1${path}`, { method: 'POST', ...sent }));
    assert.ok(answer.status < 300, `${path}: ${await answer.text()}`);
  };
}
