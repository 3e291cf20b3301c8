import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import OFFERED from './offered.json' with { type: 'json' };
import { type Home, newHome } from './partner.ts';
import { isMissing } from './shell.ts';
import { Terminal } from './terminal.ts';

/** A home with the profiles `acme` and `atlas`. */
async function withProfiles(): Promise<Home> {
  const home = await newHome();
  const profiles = ['acme', 'atlas'].map((name) => [name, { baseUrl: `https://${name}.example/v1` }]);
  await home.file('config/config.json', { profiles: Object.fromEntries(profiles) });
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
    for (const [line = '', words] of OFFERED)
      assert.equal((await offered(line, home)).join(' '), words, line);
  });

  it('the profiles of the user: `--profile a`, `auth switch `', async () => {
    const home = await withProfiles();
    assert.deepEqual(await offered('jobs list --profile a', home), ['acme', 'atlas']);
    assert.deepEqual(await offered('auth switch ', home), ['acme', 'atlas', 'bundled']);
  });

  it('the next word where a shell passes no empty one on: `--next-word`', async () => {
    const { stdout } = await (await newHome()).run('completion --complete --next-word -- engine keys');
    assert.equal(stdout, 'create\nlist\nrevoke\n');
  });
});

interface Shell {
  readonly program: string;
  /** Its configuration file, in which the completion is loaded as its example says. */
  readonly file: string;
  readonly content: string;
}

const SHELLS: readonly Shell[] = [
  { program: 'bash', file: '.bashrc', content: 'PS1="$ "\neval "$(partner completion bash)"\n' },
  {
    program: 'zsh',
    file: '.zshrc',
    content: "PS1='$ '\nautoload -Uz compinit\ncompinit -u\nsource <(partner completion zsh)\n",
  },
  {
    program: 'fish',
    file: '.config/fish/config.fish',
    content: "function fish_prompt; echo -n '$ '; end\npartner completion fish | source\n",
  },
];

for (const { program, file, content } of SHELLS) {
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

    /** Types a line on a clear window and presses Tab. */
    async function tab(line: string): Promise<Terminal> {
      assert.ok(terminal);
      await terminal.press('C-u', 'C-l');
      await terminal.type(line);
      await terminal.press('Tab');
      return terminal;
    }

    const completed: readonly (readonly [typed: string, completed: string])[] = [
      ['partner jobs up', 'partner jobs update'],
      ['partner help exi', 'partner help exit-codes'],
      ['partner jobs list --st', 'partner jobs list --status'],
      ['partner jobs list --status=ac', 'partner jobs list --status=ACTIVE'],
      ['partner jobs list --status pa', 'partner jobs list --status PAUSED'],
      ['partner jobs list --profile at', 'partner jobs list --profile atlas'],
      ['partner jobs create nur', 'partner jobs create nurse.json'],
    ];
    for (const [typed, whole] of completed) {
      it(`makes \`${whole}\` of \`${typed}\``, async () => {
        await (await tab(typed)).shows(new RegExp(`${whole}(?:\\s|$)`, 'm'));
      });
    }

    it('lists the values of a closed set', async () => {
      const window = await tab('partner jobs list --status=');
      await window.press('Tab');
      await window.shows(/DRAFT[\s\S]*PAUSED/);
    });
  });
}
