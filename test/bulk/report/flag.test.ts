import assert from 'node:assert/strict';
import { parseReportFlag, parseReportFlags } from '../../../src/bulk/report/flag.ts';
import { PartnerError } from '../../../src/contract/errors.ts';

function refused(act: () => unknown): { message: string; hint: string | undefined } {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof PartnerError);
    assert.equal(error.code, 'USAGE');
    return { message: error.message, hint: error.hint };
  }
  assert.fail('it was taken');
}

describe('--report', () => {
  it('is a format and a file; annotations need none', () => {
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

  it('says what was likely meant by a format that is none', () => {
    assert.deepEqual(
      refused(() => parseReportFlag('jnuit=r.xml')),
      {
        message: '--report must be one of json, junit, github, markdown, not `jnuit`',
        hint: 'did you mean `--report junit=report.xml`?',
      },
    );
    assert.equal(
      refused(() => parseReportFlag('report.json')).hint,
      'for example `--report json=report.json`',
    );
    assert.match(refused(() => parseReportFlag('')).message, /^--report must be one of/);
  });

  it('wants a file that is none of the streams', () => {
    assert.deepEqual(
      refused(() => parseReportFlag('json')),
      { message: '--report json needs a file', hint: 'write `--report json=report.json`' },
    );
    assert.match(refused(() => parseReportFlag('json=-')).message, /needs a file/);
    assert.match(refused(() => parseReportFlag('markdown=')).hint ?? '', /GITHUB_STEP_SUMMARY/);
  });

  it('does not write two reports to one file, however it is spelled', () => {
    assert.match(
      refused(() => parseReportFlags(['json=r', 'junit=./x/../r'])).message,
      /^two reports cannot be written to/,
    );
  });
});
