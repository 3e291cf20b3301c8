import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeHome } from '../../bench/home.ts';

const LINES = 100_000;

describe('`jobs validate` of 100,000 lines', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'partner-lines-'));
  after(() => rmSync(scratch, { recursive: true, force: true }));

  it('takes less than 220 MB, and counts every warning', () => {
    const file = join(scratch, 'lines.ndjson');
    const descriptor = openSync(file, 'w');
    for (let from = 0; from < LINES; from += 10_000) {
      const lines = Array.from({ length: 10_000 }, (_, at) => {
        const bid = 100 + from + at;
        return `{"salaryMin":2,"salaryMax":1,"opportunityId":"${bid}","bidPerQualifiedApplicantCents":${bid}}`;
      });
      writeSync(descriptor, `${lines.join('\n')}\n`);
    }
    closeSync(descriptor);
    const home = makeHome(scratch);
    const { stdout, peakMegabytes } = home.run(['jobs', 'validate', file, '--draft', '--json']);
    const { listings, errors, warnings, findings, omitted } = JSON.parse(stdout);
    assert.deepEqual([listings, errors], [LINES, 0]);
    assert.ok(warnings >= LINES, `${warnings} warnings`);
    assert.deepEqual([findings.length, findings.length + omitted], [1_000, warnings]);
    assert.ok(peakMegabytes < 220, `${peakMegabytes} MB`);
  });
});
