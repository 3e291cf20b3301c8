import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withDrafts } from './homes.ts';
import type { Home, Run, RunOptions } from './partner.ts';

/** One after the other; what each is given must be gone with the next one. */
const LINES: readonly (readonly [line: string, options?: RunOptions])[] = [
  ['jobs list', { env: { FORCE_COLOR: '1', TZ: 'Asia/Tokyo' } }],
  ['jobs list'],
  ['jobs create - --json', { stdin: '{"title": "Cook"}' }],
  ['jobs create -'],
  ['jobs validate ../complete.json nowhere.json', { cwd: 'below' }],
  ['jobs publish 1 2 --json'],
  ['auth login --base-url https://api.example.com/v1'],
  ['jobs crate'],
];

describe('a process that runs one command line after another', () => {
  it('shows of each what a process of its own shows', async () => {
    const [here, there] = await Promise.all([withDrafts(), withDrafts()]);
    for (const home of [here, there]) await mkdir(join(home.path, 'below'));
    for (const [line, options = {}] of LINES) {
      const [alone, loaded] = await Promise.all([
        shownBy(here, line, { ...options, alone: true }),
        shownBy(there, line, options),
      ]);
      assert.deepEqual(loaded, alone, line);
    }
  });
});

/** What can be compared: `~` for the home, and no time of day. */
async function shownBy(home: Home, line: string, options: RunOptions): Promise<Omit<Run, 'json'>> {
  const cwd = join(home.path, options.cwd ?? '');
  const { code, signal, stdout, stderr } = await home.run(line, { ...options, cwd });
  const [out, err] = [stdout, stderr].map((text) =>
    text.replaceAll(home.path, '~').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  );
  return { code, signal, stdout: out ?? '', stderr: err ?? '' };
}
