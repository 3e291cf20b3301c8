import assert from 'node:assert/strict';
import { type Column, table } from '../../../src/cli/terminal/table.ts';
import { toView } from '../../../src/cli/terminal/view.ts';
import { getWidth } from '../../../src/cli/terminal/width.ts';
import { fakeStreams } from './fake-streams.ts';

interface Row {
  readonly id: number;
  readonly title: string;
  readonly place: string;
  readonly bid: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', text: ({ id }) => String(id) },
  { title: 'TITLE', text: ({ title }) => title, shrinksTo: 8, style: () => 'green' },
  { title: 'PLACE', text: ({ place }) => place, shrinksTo: 8, givesWay: 1 },
  { title: 'BID', text: ({ bid }) => bid, whole: ({ bid }) => `${bid} whole`, align: 'right', givesWay: 2 },
];

const ROWS: readonly Row[] = [
  { id: 1, title: 'Nurse', place: 'Austin', bid: '$15.00' },
  { id: 22, title: '看護師 🫠 🧑🏽‍🏭', place: 'Zürich', bid: '$1,500.00' },
  { id: 333, title: '', place: 'ที่', bid: '' },
];

const on = (columns: number, colour = false) => toView(fakeStreams({ isTerminal: true, columns, colour }), 0);
const inPipe = toView(fakeStreams(), 0);

describe('a list on a terminal', () => {
  it('has a header and columns in line, also after wide characters and new emoji', async () =>
    assert.equal(
      await table(COLUMNS, ROWS, on(80), 'None.'),
      [
        'ID   TITLE         PLACE         BID',
        '1    Nurse         Austin     $15.00',
        '22   看護師 🫠 🧑🏽‍🏭  Zürich  $1,500.00',
        '333                ที่',
        '',
      ].join('\n'),
    ));

  it('leaves out the columns that give way where even that is too wide', async () =>
    assert.equal(
      await table(COLUMNS, ROWS.slice(0, 1), on(20), 'None.'),
      ['ID  TITLE  PLACE', '1   Nurse  Austin', ''].join('\n'),
    ));

  it('fits every width it is given', async () => {
    const rows = [{ id: 1, title: '長い題名'.repeat(20), place: 'x'.repeat(60), bid: '$1.00' }];
    for (const columns of [20, 30, 40, 80, 120, 200]) {
      const text = await table(COLUMNS, rows, on(columns), 'None.');
      for (const line of text.split('\n')) assert.ok(getWidth(line) <= columns, `${columns}: ${line}`);
    }
  });

  it('keeps its columns in line however long it is, and coloured', async () => {
    const rows = Array.from({ length: 250 }, (_, id) => ({
      id,
      title: `Job ${id}`,
      place: 'Austin',
      bid: '',
    }));
    const lines = (await table(COLUMNS, rows, on(80, true), 'None.')).trimEnd().split('\n');
    assert.equal(lines.length, 251);
    const title = (text: string) => `\x1b[32m${text}\x1b[39m`;
    assert.equal(lines[1], `0    ${title('Job 0')}    Austin`);
    assert.equal(lines[250], `249  ${title('Job 249')}  Austin`);
  });
});

describe('a list in a pipe', () => {
  it('is tab-separated and whole, without a header', async () => {
    const rows = [
      { id: 1, title: 'long '.repeat(50).trim(), place: 'Austin', bid: '$1.00' },
      ...ROWS.slice(2),
    ];
    const actual = await table(COLUMNS, rows, inPipe, 'None.');
    assert.equal(actual, `1\t${'long '.repeat(50).trim()}\tAustin\t$1.00 whole\n333\t\tที่\t whole\n`);
  });
});
