import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import {
  checkReports,
  parseReportFlag,
  parseReportFlags,
  renderReport,
  writeReports,
} from '../../src/reports/formats.ts';
import { tempDirectory } from '../temp-directory.ts';
import { APPLY_RUN, PLAN_RUN } from './sample-run.ts';

describe('the reports of a run', () => {
  const at = tempDirectory();
  let err = '';
  const writeErr = async (text: string) => {
    err += text;
  };

  beforeEach(() => {
    err = '';
  });

  it('replace files completely, and write annotations to stderr', async () => {
    const [json, linked] = [at('r.json'), at('link.xml')];
    fs.writeFileSync(json, 'of the last run, and longer than nothing');
    fs.writeFileSync(at('r.xml'), 'of somebody else');
    fs.symlinkSync(at('r.xml'), linked);
    const targets = [
      { format: 'json', file: json },
      { format: 'junit', file: linked },
      { format: 'github', file: undefined },
    ] as const;
    checkReports(targets);
    await writeReports(targets, APPLY_RUN, { writeErr });
    assert.equal(fs.readFileSync(json, 'utf8'), renderReport('json', APPLY_RUN));
    assert.equal(fs.lstatSync(linked).isFile(), true, 'the link itself is replaced');
    assert.equal(fs.readFileSync(linked, 'utf8'), renderReport('junit', APPLY_RUN));
    assert.equal(fs.readFileSync(at('r.xml'), 'utf8'), 'of somebody else');
    assert.equal(err, renderReport('github', APPLY_RUN));
    assert.deepEqual(fs.readdirSync(at()).sort(), ['link.xml', 'r.json', 'r.xml']);
  });

  it('are appended to the step summary, because other commands write to it too', async () => {
    const file = at('summary.md');
    fs.writeFileSync(file, '# Before');
    const target = { format: 'markdown', file } as const;
    await writeReports([target], PLAN_RUN, { writeErr }, file);
    await writeReports([target], APPLY_RUN, { writeErr }, file);
    assert.equal(
      fs.readFileSync(file, 'utf8'),
      `# Before\n${renderReport('markdown', PLAN_RUN)}\n${renderReport('markdown', APPLY_RUN)}`,
    );
    await writeReports([target], PLAN_RUN, { writeErr });
    assert.equal(fs.readFileSync(file, 'utf8'), renderReport('markdown', PLAN_RUN));
  });

  it('are refused before the run if their directory is missing', () => {
    const file = at('out', 'r.json');
    assert.throws(() => checkReports([{ format: 'json', file }]), {
      code: 'USAGE',
      message: `can't write the report ${file}: no such directory`,
      hint: `create it first: \`mkdir -p ${at('out')}\``,
    });
    fs.mkdirSync(file, { recursive: true });
    const expected = { code: 'USAGE', message: /it is a directory$/ };
    assert.throws(() => checkReports([{ format: 'json', file }]), expected);
    assert.deepEqual(fs.readdirSync(file), []);
  });

  it('are all tried, and the first failure is thrown', async () => {
    const [lost, kept] = [at('file', 'r.json'), at('r.xml')];
    fs.writeFileSync(at('file'), '');
    const targets = [
      { format: 'json', file: lost },
      { format: 'junit', file: kept },
    ] as const;
    await assert.rejects(writeReports(targets, PLAN_RUN, { writeErr }), {
      code: 'OUTPUT_UNWRITABLE',
      message: `can't write the report ${lost}: part of its path is a file, not a directory`,
    });
    assert.equal(fs.readFileSync(kept, 'utf8'), renderReport('junit', PLAN_RUN));
  });

  it('are written to a pipe without replacing it', async () => {
    const pipe = at('pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const reader = promisify(execFile)('cat', [pipe]);
    await writeReports([{ format: 'json', file: pipe }], PLAN_RUN, { writeErr });
    assert.equal((await reader).stdout, renderReport('json', PLAN_RUN));
    assert.ok(fs.statSync(pipe).isFIFO());
  });
});

const refuses = (act: () => unknown, error: object): void => assert.throws(act, { code: 'USAGE', ...error });

describe('--report', () => {
  it('requires a format and a file, except for annotations', () => {
    assert.deepEqual(
      parseReportFlags(['json=out/a=b.json', 'junit=r.xml', 'github', 'markdown=s.md', 'github=g.txt']),
      [
        { format: 'json', file: 'out/a=b.json' },
        { format: 'junit', file: 'r.xml' },
        { format: 'github', file: undefined },
        { format: 'markdown', file: 's.md' },
        { format: 'github', file: 'g.txt' },
      ],
    );
    assert.deepEqual(parseReportFlag('JSON=a.json'), { format: 'json', file: 'a.json' });
  });

  it('suggests a format for an unknown one', () => {
    refuses(() => parseReportFlag('jnuit=r.xml'), {
      message: '--report must be one of json, junit, github, markdown, not `jnuit`',
      hint: 'did you mean `--report junit=report.xml`?',
    });
    refuses(() => parseReportFlag('report.json'), { hint: 'for example `--report json=report.json`' });
    refuses(() => parseReportFlag(''), { message: /^--report must be one of/ });
  });

  it('requires a file instead of stdout', () => {
    refuses(() => parseReportFlag('json'), {
      message: '--report json requires a file',
      hint: 'for example `--report json=report.json`',
    });
    refuses(() => parseReportFlag('json=-'), { message: /requires a file/ });
    refuses(() => parseReportFlag('markdown='), { hint: /GITHUB_STEP_SUMMARY/ });
  });

  it('refuses two reports in one file, even with different paths', () =>
    refuses(() => parseReportFlags(['json=r', 'junit=./x/../r']), {
      message: /^can't write two reports to/,
    }));
});
