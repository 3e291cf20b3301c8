import assert from 'node:assert/strict';
import { toView, type View } from '../../../src/cli/terminal/view.ts';
import {
  SIMULATION_COLUMNS,
  simulationNotes,
  simulationView,
} from '../../../src/commands/budgets/simulation-view.ts';
import { fakeStreams } from '../../cli/terminal/fake-streams.ts';
import { NOW } from '../jobs/sample-job.ts';
import { SAMPLE_CAPS, SAMPLE_COMPANY_CAPS, sampleSimulation } from '../jobs/sample-simulation.ts';

const PIPE: View = toView(fakeStreams(), NOW);
const TERMINAL: View = toView(fakeStreams({ isTerminal: true, columns: 100 }), NOW);

describe('a simulated run', () => {
  it('is its windows alone in a pipe: tab-separated, whole, with ISO times', async () => {
    const rows = (await simulationView(sampleSimulation(SAMPLE_CAPS), PIPE)).trimEnd().split('\n');
    assert.equal(rows.length, 7);
    assert.match(
      rows[0] ?? '',
      /^DAILY\tjob\t2026-11-28T00:00:00\.000Z\t2026-11-28T[\d:.]+Z\t\$100\.00\t\$90\.00\t\d+\t6\t\d+$/,
    );
    assert.ok(rows.every((row) => row.split('\t').length === SIMULATION_COLUMNS.length));
  });

  it('warns of each cap that not one bid fits into', async () => {
    const caps = [{ window: 'DAILY', budgetCents: 0 } as const];
    assert.deepEqual(simulationNotes(sampleSimulation(caps, SAMPLE_COMPANY_CAPS), TERMINAL), [
      "warning: the job's daily cap of $0.00 stops all spending and hides the job from candidates",
      "warning: the company's lifetime cap of $10.00 is less than one bid ($15.00): the bundled engine hides this job, and other servers may charge one applicant per window ($15.00)",
    ]);
  });

  it('without caps says to a pipe why it has no rows, and on a terminal in its table', async () => {
    const report = sampleSimulation([]);
    assert.equal(await simulationView(report, PIPE), '');
    assert.match(simulationNotes(report, PIPE).join(), /no caps/);
    assert.deepEqual(simulationNotes(report, TERMINAL), []);
    assert.match(await simulationView(report, TERMINAL), /No cap is set, so no window fills up/);
  });
});
