import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkReports, renderReport, writeReports } from '../../../src/bulk/report/write.ts';
import { APPLY_RUN, PLAN_RUN } from './sample-run.ts';

describe('the reports of a run', () => {
  let home = '';
  let err = '';
  const writeErr = async (text: string) => {
    err += text;
  };

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'partner-report-')));
    err = '';
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it('are files that are replaced as a whole, and annotations on stderr', async () => {
    const [json, linked] = [join(home, 'r.json'), join(home, 'link.xml')];
    writeFileSync(json, 'of the last run, and longer than nothing');
    writeFileSync(join(home, 'r.xml'), 'of somebody else');
    symlinkSync(join(home, 'r.xml'), linked);
    const targets = [
      { format: 'json', file: json },
      { format: 'junit', file: linked },
      { format: 'github', file: undefined },
    ] as const;
    checkReports(targets);
    await writeReports(targets, APPLY_RUN, { writeErr });
    assert.equal(readFileSync(json, 'utf8'), renderReport('json', APPLY_RUN));
    assert.equal(lstatSync(linked).isFile(), true, 'the link itself is replaced');
    assert.equal(readFileSync(linked, 'utf8'), renderReport('junit', APPLY_RUN));
    assert.equal(readFileSync(join(home, 'r.xml'), 'utf8'), 'of somebody else');
    assert.equal(err, renderReport('github', APPLY_RUN));
    assert.deepEqual(readdirSync(home).sort(), ['link.xml', 'r.json', 'r.xml']);
  });

  it('are added to the summary of a step, which others write to as well', async () => {
    const file = join(home, 'summary.md');
    writeFileSync(file, '# Before');
    const target = { format: 'markdown', file } as const;
    await writeReports([target], PLAN_RUN, { writeErr }, file);
    await writeReports([target], APPLY_RUN, { writeErr }, file);
    assert.equal(
      readFileSync(file, 'utf8'),
      `# Before\n${renderReport('markdown', PLAN_RUN)}\n${renderReport('markdown', APPLY_RUN)}`,
    );
    await writeReports([target], PLAN_RUN, { writeErr });
    assert.equal(readFileSync(file, 'utf8'), renderReport('markdown', PLAN_RUN));
  });

  it('are refused before the run where there is no directory for them', () => {
    const file = join(home, 'out', 'r.json');
    assert.throws(() => checkReports([{ format: 'json', file }]), {
      code: 'USAGE',
      message: `the report ${file} cannot be written: there is no such directory`,
      hint: `make it first: \`mkdir -p ${join(home, 'out')}\``,
    });
    mkdirSync(file, { recursive: true });
    assert.throws(() => checkReports([{ format: 'json', file }]), {
      code: 'USAGE',
      message: /it is a directory$/,
    });
    assert.deepEqual(readdirSync(file), []);
  });

  it('are all tried, and the first that cannot be written is told with why', async () => {
    const [lost, kept] = [join(home, 'file', 'r.json'), join(home, 'r.xml')];
    writeFileSync(join(home, 'file'), '');
    const targets = [
      { format: 'json', file: lost },
      { format: 'junit', file: kept },
    ] as const;
    await assert.rejects(writeReports(targets, PLAN_RUN, { writeErr }), {
      code: 'OUTPUT_UNWRITABLE',
      message: `the report ${lost} cannot be written: a part of its path is a file, not a directory`,
    });
    assert.equal(readFileSync(kept, 'utf8'), renderReport('junit', PLAN_RUN));
  });

  it('are written into a pipe, not in its place', async () => {
    const pipe = join(home, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const reader = promisify(execFile)('cat', [pipe]);
    await writeReports([{ format: 'json', file: pipe }], PLAN_RUN, { writeErr });
    assert.equal((await reader).stdout, renderReport('json', PLAN_RUN));
    assert.ok(statSync(pipe).isFIFO());
  });
});
