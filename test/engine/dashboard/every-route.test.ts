import assert from 'node:assert/strict';
import { DASHBOARD_ROUTES } from '../../../src/engine/dashboard/app.ts';
import { COMPLETE } from '../listing.ts';
import { storeApplication } from '../stored-application.ts';
import { type Browser, dashboardFor } from './dashboard-under-test.ts';

const FIELDS = { to: 'accepted', version: '2025-01', DAILY: '10.00' };

describe('every address of the dashboard', () => {
  const dashboard = dashboardFor('all tests');
  let owner: Browser;
  let stranger: Browser;
  let ids: Readonly<Record<string, string>>;
  let untouched: string;
  before(async () => {
    const { operator, companyId, store, call } = dashboard.engine;
    const { body: job } = await call('POST', '/jobs', { ...COMPLETE, publish: true });
    const application = await store.write((queries) => storeApplication(queries, job.id));
    const [key] = await operator.keys.list(companyId);
    ids = {
      jobs: String(job.id),
      applications: String(application),
      keys: key?.id ?? '',
      question: job.questions[0].id,
    };
    owner = await dashboard.signedIn();
    stranger = await dashboard.signedIn((await operator.companies.create('Other')).id);
    untouched = await standing();
  });

  async function standing(): Promise<string> {
    const { operator, companyId, call } = dashboard.engine;
    const jobs = (await call('GET', '/jobs')).body;
    return JSON.stringify([
      jobs,
      await operator.dashboard.status(companyId),
      await operator.keys.list(companyId),
    ]);
  }

  const addressOf = (route: string): string => {
    const kind = route.split('/')[1] ?? '';
    const filled = route.replace(':id', ids[kind] ?? '').replace(':question', ids.question ?? '');
    return `/dashboard${filled === '/' ? '' : filled}`;
  };

  const byMethod = (method: 'GET' | 'POST') => DASHBOARD_ROUTES.filter((route) => route.method === method);

  for (const { method, path: route } of DASHBOARD_ROUTES) {
    it(`${method} ${route} is 401 for whoever is not signed in`, async () => {
      const nobody = dashboard.browser();
      const { status } =
        method === 'GET'
          ? await nobody.get(addressOf(route))
          : await nobody.post(addressOf(route), { ...FIELDS, csrf: await owner.csrf() });
      assert.equal(status, 401);
      assert.equal(await standing(), untouched);
    });

    it(`${method} ${route} gives another company nothing, and changes nothing`, async () => {
      const { status, text } =
        method === 'GET'
          ? await stranger.get(addressOf(route))
          : await stranger.post(addressOf(route), FIELDS);
      if (route.includes(':')) assert.equal(status, 404);
      assert.ok(!text.includes(COMPLETE.title) && !text.includes(ids.keys ?? '') && !text.includes('Acme'));
      assert.equal(await standing(), untouched);
    });
  }

  for (const { path: route } of byMethod('POST'))
    it(`POST ${route} does nothing without its session's token, or from another site`, async () => {
      const attempts: readonly (readonly [
        fields: Record<string, string>,
        headers: Record<string, string>,
      ])[] = [
        [{ csrf: '' }, {}],
        [{ csrf: await stranger.csrf() }, {}],
        [{}, { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }],
      ];
      for (const [fields, headers] of attempts) {
        const { status } = await owner.post(addressOf(route), { ...FIELDS, ...fields }, headers);
        assert.equal(status, 403);
      }
      assert.equal(await standing(), untouched);
    });

  it('does its work for whom it is: what is refused above is refused for its own reason', async () => {
    for (const { path: route } of byMethod('POST')) {
      const { status, text } = await owner.post(addressOf(route), FIELDS);
      assert.ok(status === 303 || status === 200, `${route}: ${status} ${text}`);
    }
    assert.notEqual(await standing(), untouched);
  });
});
