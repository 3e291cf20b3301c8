import assert from 'node:assert/strict';
import { realServers } from '../client/real-server.ts';
import { fixture } from '../fixture.ts';
import { prepared, receiveApplications, withDrafts } from './homes.ts';
import { newHome } from './partner.ts';
import { answering, callsTo } from './servers.ts';

const LISTS = [
  ...['jobs list', 'locations search springfield', 'budgets get 1', 'budgets simulate --job 1'],
  ...['auth list', 'engine keys list', 'engine companies list', 'dashboard applications list'],
];

interface Listed {
  readonly items: readonly { readonly id: number; readonly bidPerQualifiedApplicantCents: number | null }[];
}

const withBids = prepared(withDrafts, async (home) => {
  await home.must('budgets set 1 --daily-cents 5000 --monthly-cents 90000');
  await home.must(['jobs', 'create', '--title', '=HYPERLINK("x"), cook', '--bid-cents', '120000']);
  await receiveApplications(home, 1);
});

describe('a command that lists', () => {
  const servers = realServers('all tests');
  const home = fixture('all tests', withBids);

  const lines = async (line: string): Promise<string[]> => {
    const { code, stdout, stderr } = await home.run(line);
    assert.equal(code, 0, stderr);
    return stdout.replace(/\r?\n$/, '').split(/\r?\n/);
  };

  for (const line of LISTS)
    it(`\`partner ${line} --csv\` has a header and a value for each of its columns`, async () => {
      const [header = '', ...rows] = await lines(`${line} --csv`);
      const commas = header.split(',').length;
      assert.match(header, /^[A-Z][A-Z_ ,]+$/);
      for (const row of rows) assert.equal(row.replace(/"(?:[^"]|"")*"/g, '').split(',').length, commas, row);
    });

  it('sorts by value, also under --json, where the columns stay as the server answered them', async () => {
    const expected = ['3\t$1,200.00', '1\t$18.00', '2\t'];
    assert.deepEqual(await lines('jobs list --sort bid:desc --columns id,bid'), expected);
    const { items } = await home.must<Listed>('jobs list --sort bid --columns id');
    const actual = items.map((job) => [job.id, job.bidPerQualifiedApplicantCents]);
    assert.deepEqual(actual, [
      [1, 1800],
      [3, 120_000],
      [2, null],
    ]);
  });

  it('sorts places by their population, which stays out of --json', async () => {
    const search = 'locations search springfield --limit 5 --sort population';
    const populations = (await lines(`${search} --columns population`)).map(Number);
    const ascending = [...populations].sort((a, b) => a - b);
    assert.deepEqual(populations, ascending);
    const { items } = await home.must<{ items: readonly object[] }>(search);
    assert.equal(items.length, 5);
    assert.ok(items.every((place) => !Object.hasOwn(place, 'population')));
  });

  it('keeps a spreadsheet from running what a title says', async () => {
    const [, row] = await lines('jobs list --csv --columns title,bid --limit 1');
    assert.equal(row, '"\'=HYPERLINK(""x""), cook",120000');
  });

  it('refuses a column that it has not, and two forms at once, before any call is made', async () => {
    const server = await servers.listen(answering(200, { items: [] }));
    const env = callsTo(server);
    const unknown = await home.run('jobs list --columns id,titel', { env });
    const both = await home.run('jobs list --csv --json', { env });
    assert.deepEqual([unknown.code, both.code], [2, 2]);
    assert.match(unknown.stderr, /must be one of ID, STATUS, TITLE, .*not `titel`\n→ did you mean TITLE\?/);
    assert.match(both.stdout, /--json cannot also be provided when using --csv/);
    assert.deepEqual(server.requests, []);
  });
});

it('`engine keys list` shows the keys of every company, and makes no company', async () => {
  const home = await newHome();
  const acme = await home.must<{ id: string }>('engine companies create Acme');
  const key = await home.must<{ id: string }>(`engine keys create --name ci --company ${acme.id}`);
  const listed = await home.must<{ items: { id: string; name: string }[] }>('engine keys list');
  const keys = listed.items.map(({ id, name }) => `${name} ${id}`);
  assert.deepEqual(keys, [`ci ${key.id}`]);
  assert.equal((await home.must<{ companies: number }>('engine status')).companies, 1);
});
