import assert from 'node:assert/strict';
import { type Column, csvLine, table } from '../../../src/cli/terminal/table.ts';
import { toView } from '../../../src/cli/terminal/view.ts';
import { fakeStreams } from './fake-streams.ts';

interface Row {
  readonly title: string;
  readonly cents?: number;
}

const TITLE: Column<Row> = { title: 'TITLE', text: ({ title }) => title, short: () => '…', shrinksTo: 3 };
const COLUMNS: readonly Column<Row>[] = [
  TITLE,
  {
    title: 'BID',
    text: ({ cents = 0 }) => `$${cents / 100}`,
    csv: [{ title: 'BID_CENTS', text: ({ cents = '' }) => String(cents) }],
    givesWay: 1,
  },
  { title: '', name: 'CURRENT', text: () => ' ', whole: () => '*' },
];

function cellOf(title: string): string {
  return csvLine([TITLE], { title }, 0).replace(/\r\n$/, '');
}

describe('a list as comma-separated values', () => {
  it('has a header, whole cells, and a bare number where the title has the unit', async () => {
    const rows = [{ title: 'Nurse', cents: 120_000 }, { title: 'Cook' }];
    const expected = 'TITLE,BID_CENTS,CURRENT\r\nNurse,120000,*\r\nCook,,*\r\n';
    assert.equal(await table(COLUMNS, rows, toView(fakeStreams(), 0), '', { csv: true }), expected);
  });

  it('quotes a comma and a quote, and keeps a cell of several lines in one', () => {
    assert.equal(cellOf('Nurse, "night"'), '"Nurse, ""night"""');
    assert.equal(cellOf('a\r\nb\tc'), 'a b c');
  });

  for (const formula of ['=1+1', '+A1', '-cmd|x', '@SUM(A1)', ' =1+1', '\t=1+1', '＝1+1'])
    it(`keeps a spreadsheet from running ${JSON.stringify(formula)}`, () =>
      assert.match(cellOf(formula), /^'/));

  it('leaves a number and an ordinary text as they are', () => {
    for (const text of ['-5', '+1.50', '1e5', 'a=b', "'quoted'", '']) assert.equal(cellOf(text), text);
  });

  it('keeps a spreadsheet that separates by semicolons from running what stands behind one', () => {
    assert.equal(cellOf('Nurse; night'), '"Nurse; night"');
    // A spreadsheet that separates by semicolons treats a quote after a comma as text, and still splits the cell.
    const line = csvLine([TITLE, TITLE], { title: 'x"; ＝cmd|1;-2+3' }, 0).trimEnd();
    const cells = line.split(';');
    const actual = cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell));
    assert.deepEqual(actual, [], line);
  });
});
