import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readCsv } from '../../../../src/listings/read/table/csv.ts';
import { readAll } from './read-all.ts';

const TABLE = readFileSync(new URL('cells.tsv', import.meta.url), 'utf8');

describe('a cell of a table', () => {
  for (const line of TABLE.trimEnd().split('\n').slice(1)) {
    const [separator = '', header = '', cell = '', expected = ''] = line.split('\t');
    const text = cell.replaceAll('\\n', '\n');
    const rows = [
      [header, '#'],
      [text, ''],
    ].map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`));
    const csv = rows.map((row) => row.join(separator)).join('\n');

    it(`${header}: ${cell} ${expected.startsWith('!') ? 'is a finding' : 'is read'}`, async () => {
      const { values, faults } = await readAll(readCsv(Buffer.from(csv)));
      const said = faults.map(({ message, hint }) => `${message}; ${hint}`);
      if (!expected.startsWith('! ')) assert.deepEqual([values, said], [[JSON.parse(expected)], []]);
      else {
        assert.equal(said.length, 1, said.join('\n'));
        assert.ok(said[0]?.startsWith(`the column "${header}" ${expected.slice(2)}`), said[0]);
        assert.deepEqual([faults[0]?.line, faults[0]?.column], [2, 1]);
      }
    });
  }
});
