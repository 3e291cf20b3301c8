import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SpecUser } from '../spec-server/commands.ts';
import type { Lie, StoredJob } from '../spec-server/lies.ts';
import { IS_AT_LENGTH } from '../times.ts';
import TABLE from './other-servers.json' with { type: 'json' };

interface Command {
  readonly argv: string;
  /** Status of the job `ID`, which exists before the command runs. */
  readonly of?: string;
  /** Runs before the server starts to lie. */
  readonly first?: string;
  readonly writes?: 'changes' | 'nothing';
  /** Expected content of the job if the command succeeds. */
  readonly sends?: 'listing' | 'changes' | object;
  readonly status?: string;
}

/** `isDone`: the server does what is asked in its own way, so no command may fail or warn. */
interface Behaviour {
  readonly lie: Lie;
  readonly isDone?: boolean;
  readonly waits?: boolean;
}

const COMMANDS: Readonly<Record<string, Command>> = TABLE.commands as Record<string, Command>;
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = TABLE.behaviours as Record<string, Behaviour>;
const { listing: LISTING, changes: CHANGES, cells: CELLS } = TABLE;
const WARNS = /differs from what was sent|left as they are/;

/** `npm test` runs a third of the commands against each server, and those with cells of their own. */
export function otherServersSuite(among: 'those waited for' | 'the others'): void {
  const isMeant = ({ waits = false }: Behaviour) => waits === (among === 'those waited for');
  for (const [at, [name, behaviour]] of Object.entries(BEHAVIOURS).entries()) {
    if (!isMeant(behaviour)) continue;
    it(`is never reported as a success: ${name}`, async () => {
      const user = await SpecUser.of({ offersPause: true });
      const wrong: string[] = [];
      for (const [nth, [command, row]] of Object.entries(COMMANDS).entries()) {
        const cells = CELLS.filter((cell) => cell.behaviour === name && cell.command === command);
        if (!IS_AT_LENGTH && nth % 3 !== at % 3 && cells.length === 0) continue;
        const { run, job } = await ranAgainst(behaviour, row, user);
        const said = run.stdout + run.stderr;
        const warned = said.slice(Math.max(0, said.search(WARNS)));
        const unsaid = unlike(row, job).filter((field) => !WARNS.test(said) || !warned.includes(field));
        const isTrue = run.code !== 0 || unsaid.length === 0 || said.includes('left as they are');
        const isFine = isTrue && (!behaviour.isDone || (run.code === 0 && !WARNS.test(said)));
        const isAsTold = cells.every(({ exit, says }) => run.code === exit && new RegExp(says).test(said));
        if (!isFine || !isAsTold) wrong.push(`${command}: exit ${run.code}, ${unsaid.join(', ')}\n${said}`);
      }
      await user.server.close();
      assert.equal(wrong.length, 0, wrong.join('\n'));
    });
  }
}

async function ranAgainst({ lie, isDone, waits }: Behaviour, command: Command, user: SpecUser) {
  const { argv, of, first, writes } = command;
  const { server } = user;
  const cwd = join(user.home.path, String(server.calls.length));
  // A shared data directory would keep the next command from creating the same job.
  const options = { cwd, env: { PARTNER_DATA_DIR: `${cwd}-data` } };
  const write = (name: string, value: object) => writeFile(join(cwd, name), JSON.stringify(value));
  await mkdir(cwd);
  await write('listing.json', LISTING);
  if (writes === 'nothing') await write('other.json', { ...LISTING, title: 'Porter' });
  Object.assign(server, { lie: { on: [] } });
  const added = of === undefined ? undefined : server.add(LISTING, of);
  const count = server.jobs.length;
  if (first !== undefined) await user.ends(0, first.split(' '), options);
  if (writes === 'changes') await write('listing.json', { ...LISTING, ...CHANGES });
  else if (writes === 'nothing') await rm(join(cwd, 'listing.json'));
  else await write('changes.json', CHANGES);
  Object.assign(server, { lie });
  const words = argv.replace('ID', String(added?.id)).split(' ');
  const run = await user.run([...words, '--timeout', waits && !isDone ? '1s' : '60s'], options);
  const made = server.jobs.slice(count).find(({ content }) => content.title !== 'Porter');
  return { run, job: made ?? added };
}

function unlike({ sends = {}, status }: Command, job: StoredJob | undefined): string[] {
  const has: Readonly<Record<string, unknown>> = { ...job?.content, status: job?.status };
  const named = sends === 'listing' ? LISTING : sends === 'changes' ? CHANGES : sends;
  const sent = Object.entries({ ...Object(named), ...(status && { status }) });
  return sent.filter(([field, value]) => !isDeepStrictEqual(has[field], value)).map(([field]) => field);
}
