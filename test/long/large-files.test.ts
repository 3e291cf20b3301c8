import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredRun } from '../../bench/home.ts';
import { temporaryDirectory } from '../engine/temporary-directory.ts';
import files from './large-files.json' with { type: 'json' };

describe('the built binary, given a large or odd file', () => {
  const home = temporaryDirectory()('');
  const env = { ...process.env, PARTNER_DATA_DIR: `${home}/data`, PARTNER_CONFIG_DIR: `${home}/config` };
  for (const [name, parts, says] of files as [string, [string, number?][], string][])
    it(`refuses it with its limit, in 300 MB and 40 s, without a stack trace: ${name}`, () => {
      const file = join(home, name);
      writeFileSync(
        file,
        Buffer.concat(parts.map(([text, times = 1]) => Buffer.alloc(text.length * times, text))),
      );
      const isFeed = /html$|xml$|postings/.test(name);
      for (const command of isFeed ? [`import --dry-run --out ${home}/jobs`] : ['validate', 'plan']) {
        const argv = ['jobs', ...command.split(' '), file, '--json'];
        const { status, stdout, stderr, peakMegabytes } = measuredRun(argv, env, 40_000);
        assert.ok(status === 2 || status === 3, `exit ${status}: ${stderr.slice(0, 500)}`);
        assert.doesNotMatch(stdout + stderr, /\n {4}at |a bug in partner/);
        if (command !== 'plan') assert.match(stdout, new RegExp(says));
        assert.ok(peakMegabytes < 300, `${peakMegabytes} MB`);
      }
      rmSync(file);
    });

  it('checks 100,000 lines in less than 220 MB, and counts every warning', () => {
    const file = join(home, 'lines.ndjson');
    const lines = Array.from({ length: 100_000 }, (_, at) => {
      const bid = 100 + at;
      return `{"salaryMin":2,"salaryMax":1,"opportunityId":"${bid}","bidPerQualifiedApplicantCents":${bid}}`;
    });
    writeFileSync(file, lines.join('\n'));
    const argv = ['jobs', 'validate', file, '--draft', '--json'];
    const { stdout, peakMegabytes } = measuredRun(argv, env);
    const { listings, errors, warnings, findings, omitted } = JSON.parse(stdout);
    assert.deepEqual([listings, errors], [100_000, 0]);
    assert.ok(warnings >= 100_000, `${warnings} warnings`);
    assert.deepEqual([findings.length, findings.length + omitted], [1_000, warnings]);
    assert.ok(peakMegabytes < 220, `${peakMegabytes} MB`);
  });
});
