import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import rows from './completion.json' with { type: 'json' };
import { type Home, newHome } from './partner.ts';
import { isMissing } from './shell.ts';
import { Terminal } from './terminal.ts';

async function withProfiles(): Promise<Home> {
  const home = await newHome();
  const profiles = ['acme', 'atlas'].map((name) => [name, { baseUrl: `https://${name}.example/v1` }]);
  await home.file('config/config.json', { profiles: Object.fromEntries(profiles) });
  await mkdir(home.data);
  const local = [
    [12, 'Night nurse'],
    [13, 'Welder'],
    [25, 'Cook'],
  ];
  await home.file('data/jobs.json', { local, 'https://acme.example/v1': [[7, 'Baker']] });
  return home;
}

describe('`partner completion --complete` offers', () => {
  const offered = async (line: string, from?: Home): Promise<string[]> => {
    const home = from ?? (await newHome());
    const { stdout } = await home.run(['completion', '--complete', '--', ...line.split(' ')]);
    return stdout.split('\n').filter((word) => word !== '');
  };

  it('what may come next: topics, commands, flags, values, columns, and nothing where a file may stand', async () => {
    const home = await newHome();
    for (const [line = '', words] of rows.offered)
      assert.equal((await offered(line, home)).join(' '), words, line);
  });

  it('the profiles of the user: `--profile a`, `auth switch `', async () => {
    const home = await withProfiles();
    assert.deepEqual(await offered('jobs list --profile a', home), ['acme', 'atlas']);
    assert.deepEqual(await offered('auth switch ', home), ['acme', 'atlas', 'bundled']);
  });

  it('the jobs of the server that were listed last, and no files, where a job ID may stand', async () => {
    const home = await withProfiles();
    for (const line of ['jobs get ', 'jobs close 25 ', 'jobs update ', 'budgets set ', 'engine apply '])
      assert.deepEqual(
        await offered(line, home),
        [':ids', '12\tNight nurse', '13\tWelder', '25\tCook'],
        line,
      );
    assert.deepEqual(await offered('jobs pause --profile acme ', home), [':ids', '7\tBaker']);
    assert.deepEqual(await offered('jobs export --profile atlas ', home), [':ids']);
    assert.deepEqual(await offered('jobs update 12 ', home), []);
    const { stdout } = await home.run('jobs list', { columns: 80 });
    assert.deepEqual([stdout.includes('ID'), await offered('jobs get ', home)], [false, [':ids']]);
  });

  it('the next word where a shell passes no empty one on: `--next-word`', async () => {
    const { stdout } = await (await newHome()).run('completion --complete --next-word -- engine keys');
    assert.equal(stdout, 'create\nlist\nrevoke\n');
  });
});

for (const { program, file, content } of rows.shells)
  describe(`the Tab key in ${program}`, () => {
    let terminal: Terminal | undefined;

    before(async function () {
      if (isMissing('tmux', program)) this.skip();
      const home = await withProfiles();
      await home.file('nurse.json', {});
      await mkdir(dirname(join(home.path, file)), { recursive: true });
      await home.file(file, content);
      terminal = await Terminal.open({ home, shell: program });
    });
    after(() => terminal?.close());

    async function tab(line: string): Promise<Terminal> {
      assert.ok(terminal);
      await terminal.press('C-u', 'C-l');
      await terminal.type(line);
      await terminal.press('Tab');
      return terminal;
    }

    for (const [typed = '', whole] of rows.completed)
      it(`makes \`${whole}\` of \`${typed}\``, async () =>
        await (await tab(typed)).shows(new RegExp(`${whole}(?:\\s|$)`, 'm')));

    it('lists the jobs with their titles, and no file', async () => {
      const window = await tab('partner jobs publish 1');
      await window.press('Tab');
      const screen = await window.shows(/12\s+\(?Night nurse\)?[\s\S]*13\s+\(?Welder\)?/);
      assert.doesNotMatch(screen, /nurse\.json/);
    });

    it('lists the values of a closed set', async () => {
      const window = await tab('partner jobs list --status=');
      await window.press('Tab');
      await window.shows(/DRAFT[\s\S]*PAUSED/);
    });
  });
