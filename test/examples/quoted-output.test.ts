import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkQuotedOutput } from '../../scripts/quoted-output.ts';
import { isMissing } from '../cli/shell.ts';

const block = (...lines: readonly string[]): string => ['```console', ...lines, '```', ''].join('\n');

describe('what a document quotes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partner-quoted-'));
  const path = join(folder, 'README.md');
  const checked = async (text: string, isWriting = false) => {
    writeFileSync(path, text);
    return checkQuotedOutput(isWriting, folder);
  };
  before(function () {
    if (isMissing('script')) this.skip();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is what its commands print one after the other in a home of its own, times and … aside', async () => {
    const create = [
      '$ partner jobs create --title "Night nurse" \\',
      '    --bid-cents 1500',
      'Night nurse',
      '…',
    ];
    const list = ['$ partner jobs list --columns id,title,bid', 'ID  TITLE           BID'];
    const text = `<!-- $ partner jobs create --title First -->\n${block(...create)}${block(...list, '2   Night …  $15.00', '…')}`;
    assert.deepEqual((await checked(`${text}\`\`\`json\n{}\n\`\`\`\n`)).wrong, []);
    assert.match((await checked(text)).summary, /1 documents; blocks: 2 console/);
  });

  it('is told where it is not what is printed, and can be written', async () => {
    const text = (quoted: string) => `${block('$ partner jobs list -q', quoted)}after\n`;
    const { wrong } = await checked(text('7 jobs'));
    assert.deepEqual(wrong, ['README.md:2: `partner jobs list -q` prints\nNo jobs.\n']);
    assert.deepEqual((await checked(text('7 jobs'), true)).wrong, []);
    assert.equal(readFileSync(path, 'utf8'), text('No jobs.'));
  });

  it('is never left out unseen: a block says what it is, and a set-up that fails is told', async () => {
    await assert.rejects(checked('```\n$ partner jobs list\n```\n'), /does not say what it is/);
    await assert.rejects(checked('<!-- $ partner jobs get 5 -->\n'), /`partner jobs get 5` exits 7/);
  });
});
