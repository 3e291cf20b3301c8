import { COMMANDS } from './commands/index.ts';
import { PartnerError } from './contract/errors.ts';
import { nearest } from './contract/nearest.ts';
import { asksForJson, showFailure } from './failure.ts';
import { oclifConfig } from './oclif-config.ts';
import { VERSION } from './package.ts';
import type { Surroundings } from './surroundings.ts';
import { processStreams } from './ui/streams.ts';

/** Runs one command line; gives the exit code and never throws. */
export async function main(process: NodeJS.Process): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const interrupt = new AbortController();
  // Once: a second Ctrl-C meets no handler and ends the process at once.
  process.once('SIGINT', () => interrupt.abort());
  const surroundings: Surroundings = {
    streams: processStreams(process),
    env: process.env,
    clock: Date.now,
    interrupted: interrupt.signal,
  };
  try {
    return await dispatch(argv, surroundings);
  } catch (error) {
    return await showFailure(error, argv, surroundings);
  }
}

async function dispatch(argv: string[], surroundings: Surroundings): Promise<number> {
  const call = commandIn(argv);
  if (asksForHelp(argv)) {
    const { showHelp } = await import('./help.ts');
    const words = call?.name ?? wordsOf(argv[0] === 'help' ? argv.slice(1) : argv).join(' ');
    return showHelp(words, asksForJson(argv), surroundings.streams);
  }
  if (call === undefined) throw unknownCommand(wordsOf(argv).join(' '));
  const { default: Command } = await call.load();
  return Command.start(call.name, call.rest, await oclifConfig([]), surroundings);
}

interface Call {
  readonly name: string;
  readonly rest: string[];
  readonly load: (typeof COMMANDS)[string];
}

/** The command whose name is the longest run of leading words. */
function commandIn(argv: readonly string[]): Call | undefined {
  for (let words = Math.min(3, argv.length); words > 0; words--) {
    const name = argv.slice(0, words).join(' ');
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load !== undefined) return { name, rest: argv.slice(words), load };
  }
  return undefined;
}

/** The words before the first flag. */
function wordsOf(argv: readonly string[]): string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, flag === -1 ? argv.length : flag);
}

/** `--help` anywhere before `--`, `help …`, nothing at all, or a topic without a command. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const before = end === -1 ? argv : argv.slice(0, end);
  const topic = argv.join(' ');
  return (
    argv.length === 0 ||
    argv[0] === 'help' ||
    before.includes('--help') ||
    before.includes('-h') ||
    Object.keys(COMMANDS).some((name) => name.startsWith(`${topic} `))
  );
}

/** Says what is near, and never runs it. */
function unknownCommand(words: string): PartnerError {
  const near = nearest(words, Object.keys(COMMANDS)) ?? nearestByWord(words);
  return new PartnerError('USAGE', {
    message: words === '' ? 'no command is given' : `there is no command \`partner ${words}\``,
    hint: near === undefined ? '`partner help` lists the commands' : `did you mean \`partner ${near}\`?`,
  });
}

/** A command whose every word is near, also where arguments follow: `job pubish 12`. */
function nearestByWord(words: string): string | undefined {
  const given = words.split(' ');
  for (let count = Math.min(3, given.length); count > 0; count--) {
    const near = nearest(given.slice(0, count).join(' '), Object.keys(COMMANDS));
    if (near !== undefined) return near;
  }
  return undefined;
}
