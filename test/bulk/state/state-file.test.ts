import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { findState, journalPath, keyPath, readState } from '../../../src/bulk/state/state-file.ts';
import { partnerError } from '../../cli/settings/partner-error.ts';
import { smallDisk } from '../../small-disk.ts';
import { tempDirectory } from '../../temp-directory.ts';
import damage from './damaged-states.json' with { type: 'json' };
import { largeState, SERVER, stateOf, writeState } from './states.ts';

const textOf = (name: string) => fs.readFileSync(new URL(name, import.meta.url), 'utf8');

const temp = tempDirectory();

function put(path: string, text = '{}'): string {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
  return path;
}

describe('the path of a state', () => {
  const found = (root: string, cwd = temp()): string => findState({ root, cwd }).path;

  it('is .partner/state.json in the directory of the paths if there is no state yet', () =>
    assert.deepEqual(findState({ root: temp('jobs'), cwd: temp() }), {
      path: temp('jobs/.partner/state.json'),
      base: temp('jobs'),
    }));

  it('is the nearest existing one above the paths, in any current directory', () => {
    const outer = put(temp('.partner/state.json'));
    assert.equal(found(temp('jobs/sales')), outer);
    const inner = put(temp('jobs/.partner/state.json'));
    for (const cwd of [temp(), temp('jobs/sales'), temp('work'), '/']) {
      assert.equal(found(temp('jobs/sales'), cwd), inner, cwd);
      assert.equal(found(temp('jobs'), cwd), inner, cwd);
      assert.equal(found(temp(), cwd), outer, cwd);
    }
    assert.equal(found('sales', temp('jobs')), inner);
  });

  for (const [what, make] of [
    ['directory', () => fs.mkdirSync(temp('repo/.git'), { recursive: true })],
    ['file of a worktree', () => put(temp('repo/.git'), 'gitdir: elsewhere')],
  ] as const)
    it(`is not searched above a repository if .git is a ${what}`, () => {
      make();
      put(temp('.partner/state.json'));
      assert.equal(found(temp('repo/jobs')), temp('repo/jobs/.partner/state.json'));
      assert.equal(found(temp('repo')), temp('repo/.partner/state.json'));
      const whole = put(temp('repo/.partner/state.json'));
      assert.equal(found(temp('repo/jobs')), whole);
    });

  it('is next to the journal if the first run was killed', () => {
    put(journalPath(temp('.partner/state.json')), '');
    assert.equal(found(temp('jobs')), temp('.partner/state.json'));
  });

  it('is the file of --state, with keys relative to the current directory', () => {
    put(temp('.partner/state.json'));
    const { path, base } = findState({ stateFlag: 'kept/jobs.json', root: temp('jobs'), cwd: temp() });
    assert.deepEqual([path, base], [temp('kept/jobs.json'), temp()]);
  });
});

describe('the path of a state through a link to a directory', () => {
  it('is next to the real directory, or above it', () => {
    fs.mkdirSync(temp('jobs/north'), { recursive: true });
    fs.symlinkSync('jobs/north', temp('link'));
    const place = { path: temp('jobs/.partner/state.json'), base: temp('jobs') };
    put(place.path);
    assert.deepEqual(findState({ root: 'link', cwd: temp() }), place);
    fs.symlinkSync('.', temp('here'));
    const { base } = findState({ stateFlag: 'state.json', root: 'jobs', cwd: temp('here') });
    assert.equal(base, temp());
  });
});

describe('the path of a key', () => {
  it('is the same through a link to its directory, but a link to a file has its own', () => {
    put(temp('jobs/north/a.json'));
    fs.symlinkSync('a.json', temp('jobs/north/b.json'));
    fs.symlinkSync('jobs/north', temp('link'));
    for (const by of ['jobs/north', 'link']) {
      assert.equal(keyPath(temp('jobs'), temp(by, 'a.json')), 'north/a.json');
      assert.equal(keyPath(temp('jobs'), temp(by, 'b.json')), 'north/b.json');
      assert.equal(keyPath(temp('jobs'), temp(by, 'gone.json')), 'north/gone.json');
    }
  });

  it('of a process substitution is the same in every process', () =>
    assert.equal(keyPath('/repo', '/dev/fd/63'), '../dev/fd/63'));

  it('is relative to the base, with slashes', () => {
    assert.equal(keyPath('/repo', '/repo/jobs/a.json'), 'jobs/a.json');
    assert.equal(keyPath('/repo/jobs', '/repo/other/a.json'), '../other/a.json');
  });
});

describe('a state file', () => {
  const path = (): string => temp('.partner/state.json');

  it('returns what was written', () => {
    const state = largeState(300);
    writeState(path(), state);
    const again = readState(path());
    assert.deepEqual(again && { ...again, listings: undefined }, { ...state, listings: undefined });
    const sorted = [...state.listings].sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual([...(again?.listings ?? [])], sorted);
  });

  it('has one line per listing, sorted by code unit, with ordered fields', () => {
    writeState(path(), {
      server: SERVER,
      honoursIdempotencyKeys: true,
      listings: new Map([
        ['ö.json', { applied: {}, job: 4 }],
        [
          'b.json',
          { job: 2, answered: { title: 'y' }, applied: { title: 'y', description: 'x' }, opportunityId: 'R' },
        ],
        ['Z.json#1', { closing: true, sent: { title: 'z' }, job: 3, applied: {}, opportunityId: undefined }],
        ['__proto__', { job: 1, applied: {} }],
      ]),
    });
    const text = textOf('state.txt');
    assert.equal(fs.readFileSync(path(), 'utf8'), text);
    assert.equal(readState(path())?.listings.size, 4);
  });

  it('can be read with other indentation, CRLF or a byte order mark', () => {
    writeState(path(), stateOf({ 'a.json': 1 }));
    const text = fs.readFileSync(path(), 'utf8');
    for (const other of [
      JSON.stringify(JSON.parse(text), null, 4),
      text.replaceAll('\n', '\r\n'),
      `\ufeff${text}`,
    ]) {
      fs.writeFileSync(path(), other);
      assert.deepEqual(readState(path()), stateOf({ 'a.json': 1 }));
    }
  });

  it('is merged by git if two branches changed different listings', () => {
    const git = (...argv: string[]): void => {
      const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
      execFileSync('git', ['-C', temp(), ...as, ...argv], { stdio: 'ignore' });
    };
    const jobs = { 'a.json': 1, 'c.json': 2, 'e.json': 3, 'g.json': 4 };
    const commit = (state: Readonly<Record<string, number>>): void => {
      writeState(path(), stateOf(state));
      git('add', '.');
      git('commit', '-m', 'state');
    };
    git('init', '-b', 'main');
    commit(jobs);
    git('checkout', '-b', 'other');
    commit({ ...jobs, 'b.json': 5 });
    git('checkout', 'main');
    commit({ ...jobs, 'f.json': 6 });
    git('merge', 'other', '-m', 'merge');
    const keys = [...(readState(path())?.listings.keys() ?? [])];
    assert.deepEqual(
      keys,
      [...'abcefg'].map((name) => `${name}.json`),
    );
  });
});

describe('a damaged state file is refused with its position, and stays unchanged', () => {
  const good = textOf('state-two.txt');
  for (const [what = '', from = '', to = '', says = ''] of damage) {
    const text = from === '*' ? to : good.replace(from, to);
    it(what, () => {
      const path = put(temp('state.json'));
      fs.writeFileSync(path, text, what === 'no UTF-8' ? 'latin1' : 'utf8');
      const before = fs.readFileSync(path);
      assert.throws(() => readState(path), partnerError('STATE_UNUSABLE', new RegExp(says, 's')));
      assert.deepEqual(fs.readFileSync(path), before);
    });
  }
});

describe('writing a state', () => {
  it('creates the directory with a .gitignore for all files except the state', () => {
    const path = temp('jobs/.partner/state.json');
    writeState(path, stateOf({ 'a.json': 1 }));
    const left = [
      'state.journal.ndjson',
      'state.lock',
      'state.lock.db',
      'state.lock.db-journal',
      'state.last-run.json',
      '.state.json.new',
    ];
    for (const name of left) put(temp('jobs/.partner', name));
    execFileSync('git', ['init', temp()], { stdio: 'ignore' });
    const seen = execFileSync('git', ['-C', temp(), 'status', '--short', '-uall'], { encoding: 'utf8' });
    assert.equal(seen, '?? jobs/.partner/.gitignore\n?? jobs/.partner/state.json\n');
  });

  it('does not change an existing .gitignore or directory', () => {
    put(temp('.partner/.gitignore'), 'mine');
    writeState(temp('.partner/state.json'), stateOf({}));
    assert.equal(fs.readFileSync(temp('.partner/.gitignore'), 'utf8'), 'mine');
    writeState(temp('kept/state.json'), stateOf({}));
    assert.deepEqual(fs.readdirSync(temp('kept')), ['state.json']);
  });

  it("creates the .gitignore again if a full disk left it empty or a killed run didn't create it", () => {
    for (const left of ['.gitignore', undefined]) {
      fs.rmSync(temp('.partner'), { recursive: true, force: true });
      fs.mkdirSync(temp('.partner'));
      if (left !== undefined) put(temp('.partner', left), '');
      writeState(temp('.partner/state.json'), stateOf({}));
      assert.match(fs.readFileSync(temp('.partner/.gitignore'), 'utf8'), /^\*\.last-run\.json$/m);
    }
    fs.rmSync(temp('.partner/.gitignore'));
    writeState(temp('.partner/state.json'), stateOf({ 'a.json': 1 }));
    assert.deepEqual(fs.readdirSync(temp('.partner')), ['state.json'], 'its owner has taken it away');
  });

  it('keeps the mode of the file and leaves no other file', () => {
    const path = temp('state.json');
    writeState(path, stateOf({}));
    for (const mode of [0o600, 0o664]) {
      fs.chmodSync(path, mode);
      writeState(path, stateOf({ 'a.json': mode }));
      assert.equal((fs.statSync(path).mode & 0o7777).toString(8), mode.toString(8));
    }
    assert.deepEqual(fs.readdirSync(temp()), ['state.json']);
  });

  it('replaces files of a killed run, but never follows a link', () => {
    const other = put(temp('other.json'), 'mine');
    fs.symlinkSync(other, temp('.state.json.new'));
    writeState(temp('state.json'), stateOf({}));
    assert.deepEqual(readState(temp('state.json')), stateOf({}));
    assert.equal(fs.readFileSync(other, 'utf8'), 'mine');
  });

  it('reports a full disk and keeps the existing state', function () {
    fs.mkdirSync(temp('small'));
    const takeAway = smallDisk(temp('small'), 'size=64k');
    if (takeAway === undefined) return this.skip();
    try {
      const path = temp('small/state.json');
      writeState(path, stateOf({ 'a.json': 1 }));
      const expected = partnerError('STATE_UNUSABLE', /the disk is full/);
      assert.throws(() => writeState(path, largeState(500)), expected);
      assert.deepEqual(readState(path), stateOf({ 'a.json': 1 }));
      assert.deepEqual(fs.readdirSync(temp('small')), ['state.json']);
    } finally {
      takeAway();
    }
  });
});
