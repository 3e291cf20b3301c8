import assert from 'node:assert/strict';
import { RealServers } from '../client/real-server.ts';
import { withCard, withDrafts, withLiveJob } from './homes.ts';
import { type Home, newHome } from './partner.ts';
import { terminals } from './terminal.ts';

const KEY = 'sk_ext_4c1d9f3c2ab7e8d6';

/** What somebody who has set nothing up is told by the first call. */
const INTRODUCTION =
  'No server is set up: the bundled engine answers, a service on this machine.\n→ log in to a real server with `partner auth login`';

/** What `echo "[exit $?]"` shows, and the prompt behind it. */
const ENDED = /^\[exit \d+\]\n\$/m;

describe('at a terminal', () => {
  const servers = new RealServers();
  const open = terminals();
  afterEach(async () => {
    await servers.close();
  });

  /** The state of a home's job 1, asked apart from the terminal. */
  async function stateOf(home: Home): Promise<string> {
    return (await home.must<{ status: string }>(['jobs', 'get', '1'])).status;
  }

  describe('somebody who runs it for the first time', () => {
    it('is shown what there is and where to begin', async () => {
      const { screen, code } = await (await open({ columns: 100 })).run('partner');
      assert.equal(code, 0);
      assert.match(screen, /FIRST STEPS\n {2}partner jobs create --title "Night nurse"/);
    });

    it('is told once who answers and how to reach a server, and sees an empty list as such', async () => {
      const window = await open();
      const { screen } = await window.run('partner jobs list');
      assert.equal(screen, `${INTRODUCTION}\nNo jobs.\n[exit 0]\n$`);
      assert.equal((await window.run('partner jobs list')).screen, 'No jobs.\n[exit 0]\n$');
    });

    it('is told so on stderr alone, also where the result goes into a pipe', async () => {
      const { screen } = await (await open()).run(
        'partner jobs list --status DRAFT | cat > list; wc -c < list',
      );
      assert.equal(screen, `${INTRODUCTION}\n0\n[exit 0]\n$`);
    });

    for (const [line, because] of [
      ['partner jobs list --quiet', 'asked for results only'],
      ['partner jobs list --json', 'has a program read it'],
      ['partner jobs list 2> errors; cat errors', 'has stderr elsewhere'],
    ] as const) {
      it(`is told nothing where the call ${because}: \`${line}\``, async () => {
        assert.doesNotMatch((await (await open()).run(line)).screen, /No server/);
      });
    }

    it('is told nothing where there is a configuration', async () => {
      const home = await newHome();
      await home.file('config/config.json', { profiles: {} });
      assert.equal((await (await open({ home })).run('partner jobs list')).screen, 'No jobs.\n[exit 0]\n$');
    });

    it('is told it in 40 columns without a broken word', async () => {
      const { screen } = await (await open({ columns: 40 })).run('partner jobs list');
      assert.match(
        screen,
        /^No server is set up: the bundled engine\nanswers, a service on this machine\.\n→ log in /,
      );
    });

    it('is led from a draft with gaps to the flags that fill them', async () => {
      const { screen } = await (await open({ columns: 120 })).run(
        'partner jobs create --title "Night nurse"',
      );
      assert.match(screen, /Before it can go live: 9 gaps/);
      assert.match(screen, /jobLevel +a live listing needs a job level \(--job-level ENTRY\|MID\|SENIOR\)/);
      assert.match(screen, /^fill what is missing with `partner jobs update 1 --description TEXT`/m);
    });
  });

  describe('a list', () => {
    it('is a table with a heading and a coloured state', async () => {
      const window = await open({ home: await withLiveJob() });
      const { screen } = await window.run('partner jobs list');
      assert.match(screen, /^ID {2}STATUS {2}TITLE/);
      assert.match(screen, /^1 {3}ACTIVE {2}Journeyman electrician {2}Austin, Texas/m);
      assert.match(await window.coloured(), /\x1b\[32mACTIVE\x1b/);
    });

    it('is tab-separated and uncoloured in a pipe, and ends quietly where its reader does', async () => {
      const window = await open({ home: await withLiveJob(), columns: 200 });
      const { screen } = await window.run('partner jobs list | cat -A | tail -n 1');
      assert.match(screen, /^1\^IACTIVE\^IJourneyman electrician\^IAustin, Texas, United States\^I/);
      assert.match((await window.run('partner jobs list | head -n 1')).screen, /^2\s+DRAFT.*\n\[exit 0\]/);
    });

    for (const [name, env] of [
      ['NO_COLOR=1', { NO_COLOR: '1' }],
      ['TERM=dumb', { TERM: 'dumb' }],
    ] as const) {
      it(`has no colour under ${name}`, async () => {
        const window = await open({ home: await withLiveJob() });
        const [[variable, value] = []] = Object.entries(env);
        await window.run(`${variable}=${value} partner jobs list; ${variable}=${value} partner jobs get 9`);
        assert.match(await window.screen(), /error: there is no job 9/);
        assert.doesNotMatch(await window.coloured(), /\x1b\[/);
      });
    }
  });

  describe('40 columns', () => {
    const lines = [
      'partner',
      'partner help jobs',
      'partner help configuration',
      'partner help lifecycle',
      'partner jobs list',
      'partner jobs get 1',
      'partner jobs get 2',
      'partner jobs publish 2',
      'partner jobs pause 1 2',
      'partner locations search bost',
      'partner budgets get 1',
      'partner jobs lst',
      'partner jobs validate wrong.json',
      'partner jobs create wrong.json',
      'partner doctor',
      'partner dashboard status',
    ];
    it('break no line that could be broken between words, whatever is shown', async () => {
      const home = await withLiveJob();
      await home.file('wrong.json', { titel: 'Nurse', jobType: 'full', locations: ['springfield'] });
      const window = await open({ home, columns: 40, rows: 100 });
      for (const line of lines) {
        const { screen } = await window.run(line);
        const broken = screen.split('\n').filter((shown) => shown.length > 40);
        // An address or a path has no place to break it; a command line stays whole, to be pasted.
        assert.deepEqual(
          broken.filter((shown) => !/\S{21,}|^ *(?:\$ )?partner /.test(shown)),
          [],
          line,
        );
      }
    });
  });

  describe('`jobs close` asks first', () => {
    const QUESTION = /Close job 1 "Journeyman electrician" \(ACTIVE\) for good\? \(y\/N\)/;

    for (const [answer, keys] of [
      ['n', ['n', 'Enter']],
      ['Enter alone', ['Enter']],
    ] as const) {
      it(`and changes nothing on ${answer}`, async () => {
        const home = await withLiveJob();
        const window = await open({ home });
        await window.enter('clear; partner jobs close 1; echo "[exit $?]"');
        await window.shows(QUESTION);
        await window.press(...keys);
        const screen = await window.shows(ENDED);
        assert.match(screen, /^error: cancelled: nothing was changed$/m);
        assert.match(screen, /^\[exit 130\]/m);
        assert.equal(await stateOf(home), 'ACTIVE');
      });
    }

    it('and closes on y', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      await window.enter('clear; partner jobs close 1; echo "[exit $?]"');
      await window.shows(QUESTION);
      await window.press('y', 'Enter');
      const screen = await window.shows(ENDED);
      assert.match(screen, /^✓ Closed 1 Journeyman electrician · now CLOSED\n\[exit 0\]/m);
      assert.equal(await stateOf(home), 'CLOSED');
    });

    it('but not about a draft, which cannot be closed', async () => {
      const window = await open({ home: await withDrafts() });
      const { screen, code } = await window.run('partner jobs close 1');
      assert.equal(code, 6);
      assert.doesNotMatch(screen, /for good\?/);
    });

    it('and on Ctrl-C ends with exit 130, nothing changed and the terminal as it was', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      await window.enter('clear; before=$(stty -g); partner jobs close 1; echo "[exit $?]"');
      await window.shows(QUESTION);
      await window.press('C-c');
      assert.match(await window.shows(ENDED), /^error: interrupted\n\[exit 130\]/m);
      const { screen } = await window.run('[ "$(stty -g)" = "$before" ]');
      assert.equal(screen, '[exit 0]\n$');
      assert.equal(await stateOf(home), 'ACTIVE');
    });

    it('and waits for its answer after Ctrl-Z and `fg`', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      await window.enter('clear; partner jobs close 1');
      await window.shows(QUESTION);
      await window.press('C-z');
      await window.shows(/Stopped/);
      await window.enter('fg');
      await window.shows(/partner jobs close 1[\s\S]*for good\?/);
      await window.press('y', 'Enter');
      await window.shows(/^✓ Closed 1/m);
      assert.equal(await stateOf(home), 'CLOSED');
    });

    it('on the terminal, also where the result goes into a pipe', async () => {
      const window = await open({ home: await withLiveJob() });
      await window.enter('clear; partner jobs close 1 | tr a-z A-Z');
      await window.shows(QUESTION);
      await window.press('y', 'Enter');
      await window.shows(/^✓ CLOSED 1 JOURNEYMAN ELECTRICIAN/m);
    });

    it('but never where nobody can answer: exit 2, and what answers it', async () => {
      const home = await withLiveJob();
      const window = await open({ home });
      for (const line of [
        'CI=1 partner jobs close 1',
        'TERM=dumb partner jobs close 1',
        'partner jobs close 1 --no-input',
        'partner jobs close 1 --json',
        'partner jobs close 1 < /dev/null',
        '(partner jobs close 1 2> errors; status=$?; cat errors; exit $status)',
      ]) {
        const { screen, code } = await window.run(line);
        assert.equal(code, 2, line);
        assert.match(screen, /answer it with --yes/, line);
      }
      assert.equal(await stateOf(home), 'ACTIVE');
    });
  });

  describe('`auth login`', () => {
    const answering = async (status: number, body: object): Promise<string> => {
      const server = await servers.listen((_, __, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      return `${server.origin}/v1`;
    };

    it('asks for the address and the key, and never shows the key', async () => {
      const home = await newHome();
      const url = await answering(200, { items: [] });
      const window = await open({ home, columns: 100 });
      await window.enter('clear; partner auth login acme; echo "[exit $?]"');
      await window.shows(/The API's root, version included:/);
      await window.type(url);
      await window.press('Enter');
      await window.shows(/Partner key:/);
      await window.type(KEY);
      assert.doesNotMatch(await window.screen(), /sk_ext|\*{3}/);
      await window.press('Enter');
      const screen = await window.shows(ENDED);
      assert.ok(screen.includes(`Logged in to ${url} as profile acme, now the current one\n`), screen);
      assert.match(screen, /\[exit 0\]/);
      assert.doesNotMatch(screen, /4c1d9f3c2ab7e8d6/);
      assert.match((await window.run('partner auth status')).screen, /Key +sk_ext_…e8d6 \(profile/);
    });

    it('keeps nothing where the server refuses the key', async () => {
      const url = await answering(401, {
        error: { code: 'INVALID_SERVICE_KEY', message: 'so the server says' },
      });
      const window = await open({ columns: 100 });
      await window.enter(`clear; partner auth login acme --base-url ${url}; echo "[exit $?]"`);
      await window.shows(/Partner key:/);
      await window.type(KEY);
      await window.press('Enter');
      assert.match(await window.shows(ENDED), /error: so the server says\n[\s\S]*\[exit 4\]/);
      assert.match((await window.run('partner auth list')).screen, /No profiles/);
    });

    it('hides the key also under --with-key, which is for a pipe', async () => {
      const window = await open({ columns: 100 });
      await window.enter('clear; partner auth login --base-url http://127.0.0.1:9/v1 --with-key');
      await window.shows(/Partner key:/);
      await window.type(KEY);
      await window.press('Enter');
      assert.doesNotMatch(await window.shows(/^error: /m), /4c1d9f3c2ab7e8d6/);
    });

    it('on Ctrl-C at the hidden question leaves the terminal as it was', async () => {
      const window = await open();
      await window.enter(
        'clear; before=$(stty -g); partner auth login --base-url https://api.example.com/v1',
      );
      await window.shows(/Partner key:/);
      await window.type('sk_ext_');
      await window.press('C-c');
      await window.shows(/^error: interrupted\n\$/m);
      assert.equal((await window.run('[ "$(stty -g)" = "$before" ]')).code, 0);
    });
  });

  describe('Ctrl-C', () => {
    it('ends a call to a slow server with exit 130 and the terminal as it was', async () => {
      let arrive: () => void = () => {};
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const { origin } = await servers.listen(() => arrive());
      const window = await open({ env: { PARTNER_API_KEY: KEY } });
      await window.enter(
        `clear; before=$(stty -g); partner jobs list --base-url ${origin}/v1; echo "[exit $?]"`,
      );
      await arrived;
      await window.press('C-c');
      assert.equal(await window.shows(ENDED), '^C\nerror: interrupted\n[exit 130]\n$');
      assert.equal((await window.run('[ "$(stty -g)" = "$before" ]')).code, 0);
    });

    it('ends `jobs watch`, which has said on stderr how the job stands', async () => {
      const window = await open({ home: await withDrafts() });
      await window.enter('clear; partner jobs watch 1 --until ACTIVE --every 1h; echo "[exit $?]"');
      await window.shows(/^job 1 is DRAFT$/m);
      await window.press('C-c');
      await window.shows(/^error: interrupted\n\[exit 130\]/m);
    });

    it('stops `engine serve`, with exit 0', async () => {
      const window = await open({ home: await withCard() });
      await window.enter('clear; partner engine serve --port 0; echo "[exit $?]"');
      await window.shows(/^http:\/\/127\.0\.0\.1:\d+\/v1\n/m);
      await window.press('C-c');
      await window.shows(/\[exit 0\]$/m);
    });
  });
});
