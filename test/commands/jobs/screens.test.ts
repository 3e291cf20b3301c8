import assert from 'node:assert/strict';
import type { View } from '../../../src/cli/terminal/view.ts';
import { getWidth } from '../../../src/cli/terminal/width.ts';
import { serverJob } from '../../../src/client/server-job.ts';
import { simulationView } from '../../../src/commands/budgets/simulation-view.ts';
import { jobCard } from '../../../src/commands/jobs/job-card.ts';
import { jobTable } from '../../../src/commands/jobs/listed-jobs.ts';
import { placeTable } from '../../../src/commands/locations/place-tables.ts';
import { importView } from '../../../src/reports/import-view.ts';
import { joined } from '../../cli/terminal/joined.ts';
import { assertScreens, screensOf, writtenScreens } from '../screen.ts';
import { IMPORT_ITEMS } from './sample-import.ts';
import { EMPTY_DRAFT, LIVE_JOB } from './sample-job.ts';
import { SAMPLE_CAPS, SAMPLE_COMPANY_CAPS, sampleSimulation } from './sample-simulation.ts';
import sample from './screens.json' with { type: 'json' };

const { tokyo: TOKYO, renamed: RENAMED } = sample;
const UNFROZEN = { ...LIVE_JOB, ...sample.unfrozen };
const CLOSED = { ...LIVE_JOB, ...sample.closed };
const LIST = [{ ...EMPTY_DRAFT, id: 101 }, ...sample.list.map((changes) => ({ ...LIVE_JOB, ...changes }))];

const SCREENS: Readonly<Record<string, (view: View) => string | Promise<string>>> = {
  'card-draft-failing-gate': (view) =>
    jobCard({ ...EMPTY_DRAFT, title: 'Night nurse', remoteOption: 'HYBRID' }, view),
  'card-draft-complete': (view) =>
    jobCard({ ...UNFROZEN, status: 'DRAFT', publishedAt: null, expiresAt: null, budgets: [] }, view),
  'card-live': (view) => jobCard(UNFROZEN, view),
  'card-frozen': (view) => jobCard(LIVE_JOB, view),
  'card-closed': (view) => jobCard(CLOSED, view),
  'card-hostile': (view) =>
    jobCard(
      serverJob({
        ...LIVE_JOB,
        title: LIST[3]?.title,
        locations: [TOKYO, RENAMED],
        region: 'Te\x1b[2Jxas\u202e',
      }),
      view,
    ),
  'list-jobs': (view) => joined(jobTable(LIST, view)),
  'simulation-capped': async (view) => simulationView(await sampleSimulation(SAMPLE_CAPS), view),
  'simulation-of-company': async (view) =>
    simulationView(await sampleSimulation(SAMPLE_CAPS, SAMPLE_COMPANY_CAPS), view),
  'simulation-unlimited': async (view) => simulationView(await sampleSimulation([]), view),
  'list-imported': (view) => importView(IMPORT_ITEMS, view),
  'list-places': (view) => placeTable([TOKYO, { ...RENAMED, population: 1 }], view),
};

describe('the screen', () => {
  for (const [name, show] of Object.entries(SCREENS)) {
    it(`of ${name} is as it was written down, in colour and without`, async () =>
      assertScreens(name, await screensOf(show)));

    it(`of ${name} says the same without colour, and fits`, async () => {
      const parts = (await screensOf(show)).split(/^=== /m).slice(1);
      for (let at = 0; at < parts.length; at += 2) {
        const [plain = '', coloured = ''] = [parts[at], parts[at + 1]];
        const columns = Number.parseInt(plain, 10);
        const body = plain.replace(/^.*\n/, '');
        assert.doesNotMatch(body, /\\e|\\u/);
        assert.equal(coloured.replace(/^.*\n/, '').replace(/\\e\[\d+m/g, ''), body);
        // Words longer than a line aren't broken, so that users can copy them.
        const tooWide = body.split('\n').filter((line) => getWidth(line) > columns && !/\S{25}/.test(line));
        assert.deepEqual(tooWide, [], `${columns} columns`);
      }
    });
  }

  it('is one of those above: no file is left over', () =>
    assert.deepEqual(writtenScreens().sort(), Object.keys(SCREENS).sort()));
});
