import assert from 'node:assert/strict';
import { type Column, sortItems, table } from '../../../src/cli/terminal/table.ts';
import { toView } from '../../../src/cli/terminal/view.ts';
import { fakeStreams } from './fake-streams.ts';

interface Row {
  readonly id: number;
  readonly title: string;
  readonly at?: string;
  readonly cents?: number | string;
}

const ID: Column<Row> = { title: 'ID', text: ({ id }) => String(id), value: ({ id }) => id };
const TITLE: Column<Row> = { title: 'TITLE', text: ({ title }) => title, shrinksTo: 8 };
const AT: Column<Row> = {
  title: 'AT',
  text: ({ at }, now) => (at === undefined ? '' : `${Date.parse(at) - now} ms`),
  whole: ({ at = '' }) => at,
  value: ({ at }) => (at === undefined ? undefined : Date.parse(at)),
  givesWay: 1,
};
const BID: Column<Row> = {
  title: 'BID',
  text: ({ cents = '' }) => String(cents),
  value: ({ cents }) => (typeof cents === 'number' ? cents : undefined),
  givesWay: 2,
};
const COLUMNS = [ID, TITLE, AT, BID];

const on = (columns: number) => toView(fakeStreams({ isTerminal: true, columns }), 0);
const inPipe = toView(fakeStreams(), 0);

function order(rows: readonly Row[], by: Column<Row>, isDescending = false): number[] {
  return sortItems(rows, { sort: { by, isDescending } }).map(({ id }) => id);
}

describe('a list that is sorted', () => {
  it('compares numbers as numbers and times as times, whatever their offset', () => {
    const rows: Row[] = [
      { id: 10, title: '', cents: 900, at: '2026-01-01T12:00:00+05:00' },
      { id: 9, title: '', cents: 10_000, at: '2026-01-01T08:00:00Z' },
    ];
    assert.deepEqual(order(rows, ID), [9, 10]);
    assert.deepEqual(order(rows, BID), [10, 9]);
    assert.deepEqual(order(rows, AT), [10, 9]);
    assert.deepEqual(order(rows, AT, true), [9, 10]);
  });

  it('compares text as people sort it: case does not part words, accents stay near, numbers count', () => {
    const titles = ['zoo keeper', 'Night 10', 'Élan', 'night 9', 'Zoo', 'Editor'];
    const rows = titles.map((title, id) => ({ id, title }));
    const ordered = order(rows, TITLE).map((id) => titles[id]);
    assert.deepEqual(ordered, ['Editor', 'Élan', 'night 9', 'Night 10', 'Zoo', 'zoo keeper']);
  });
});

describe('the columns of a list', () => {
  const rows: Row[] = [{ id: 1, title: 'A title of many words', at: '2026-01-01T00:00:00Z', cents: 5 }];

  it('are those that are asked for, in that order, also in a pipe', async () => {
    assert.equal(await table(COLUMNS, rows, inPipe, '', { columns: [BID, ID, BID] }), '5\t1\t5\n');
    assert.equal(await table(COLUMNS, rows, on(80), '', { columns: [BID, ID] }), 'BID  ID\n5    1\n');
  });

  it('are all there and whole where nothing is to be shortened, one line a row', async () => {
    const short = { ...TITLE, short: () => 'A +1' };
    const [heading = '', line = '', ...others] = (
      await table([ID, short, AT, BID], rows, on(16), '', { 'no-truncate': true })
    ).split('\n');
    assert.match(heading, /^ID {2}TITLE +AT +BID$/);
    assert.match(line, /^1 {3}A title of many words {2}\d+ ms {2}5$/);
    assert.deepEqual(others, ['']);
    assert.match(await table([ID, short, AT, BID], rows, on(80), ''), /^1 {3}A \+1 /m);
  });
});
