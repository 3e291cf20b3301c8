import { asksForJson, showFailure } from './cli/failure.ts';
import { type CliContext, processStreams } from './cli/terminal/streams.ts';
import { beforeDashes, wordsOf } from './cli/usage.ts';
import { COMMANDS, type CommandName, isCommand } from './commands/index.ts';
import { VERSION } from './package.ts';

/** Runs one command line; gives the exit code and never throws. */
export async function main(process: NodeJS.Process): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const interrupted = interruption(process);
  const context: CliContext = {
    streams: Object.assign(processStreams(process), { interrupted }),
    env: process.env,
    clock: Date.now,
    monotonicNow: () => Math.floor(performance.now()),
    interrupted,
  };
  try {
    return await dispatch(argv, context);
  } catch (error) {
    return await showFailure(error, argv, context);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Aborted by the first Ctrl-C, or when the process is told to end; a second signal ends it at once. */
function interruption(process: NodeJS.Process): AbortSignal {
  const interrupt = new AbortController();
  const end = () => {
    interrupt.abort();
    // Not at once: the spinner's own handler ends the process where nobody else listens.
    setImmediate(() => {
      for (const signal of SIGNALS) process.off(signal, end);
    });
  };
  for (const signal of SIGNALS) process.on(signal, end);
  // Nothing else would end a wait for input.
  interrupt.signal.addEventListener('abort', () => process.stdin.destroy());
  return interrupt.signal;
}

async function dispatch(argv: string[], context: CliContext): Promise<number> {
  const asksForHelp = beforeDashes(argv).some((word) => word === '--help' || word === '-h');
  const call = asksForHelp ? helpCall(argv) : (commandIn(argv) ?? topicCall(argv));
  if (call === undefined) {
    const { unknownCommand } = await import('./cli/help/unknown-command.ts');
    const { GUIDE_NAMES } = await import('./cli/help/topics.ts');
    const names = [...Object.keys(COMMANDS), ...GUIDE_NAMES.map((guide) => `help ${guide}`)];
    throw unknownCommand(wordsOf(argv).join(' '), names);
  }
  const Command = await COMMANDS[call.name]();
  const { oclifConfig } = await import('./cli/oclif-config.ts');
  return Command.start(call.name, call.rest, await oclifConfig(), context);
}

type Call = { readonly name: CommandName; readonly rest: string[] };

/** The command with the most leading words. Behind one that is also a topic a word names a command, not an argument. */
function commandIn(argv: readonly string[]): Call | undefined {
  if (argv[0] === '--version') return { name: 'version', rest: argv.slice(1) };
  for (let words = Math.min(3, argv.length); words > 0; words--) {
    const name = argv.slice(0, words).join(' ');
    const rest = argv.slice(words);
    const isOver = rest[0] === undefined || rest[0].startsWith('-') || !isTopic(name);
    if (isCommand(name) && isOver) return { name, rest };
  }
  return undefined;
}

function helpCall(argv: readonly string[]): Call {
  const words = commandIn(argv)?.name.split(' ') ?? wordsOf(argv);
  return { name: 'help', rest: [...words, ...(asksForJson(argv) ? ['--json'] : [])] };
}

/** A topic without a command, or nothing at all, shows help. */
function topicCall(argv: readonly string[]): Call | undefined {
  const topic = wordsOf(argv);
  const isWhole = argv.slice(topic.length).every((word) => word.startsWith('-'));
  return isTopic(topic.join(' ')) && isWhole ? { name: 'help', rest: [...argv] } : undefined;
}

function isTopic(words: string): boolean {
  return words === '' || Object.keys(COMMANDS).some((name) => name.startsWith(`${words} `));
}
