import { asksForJson, beforeDashes, readLeadingWords, showFailure } from './cli/failure.ts';
import { type CliContext, processStreams } from './cli/terminal/streams.ts';
import { COMMANDS, type CommandName, isCommand } from './commands/index.ts';
import { VERSION } from './package.ts';

/** Runs one command line and returns the exit code. Never throws. */
export async function main(process: NodeJS.Process): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const interrupted = createInterruption(process);
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

/** Aborts on the first Ctrl-C or SIGTERM. A second signal ends the process. */
function createInterruption(process: NodeJS.Process): AbortSignal {
  const interrupt = new AbortController();
  const end = () => {
    interrupt.abort();
    // Delayed, because the spinner's own handler exits if it's the only listener.
    setImmediate(() => {
      for (const signal of SIGNALS) process.off(signal, end);
    });
  };
  for (const signal of SIGNALS) process.on(signal, end);
  // A pending read from stdin would otherwise never end.
  interrupt.signal.addEventListener('abort', () => process.stdin.destroy());
  return interrupt.signal;
}

async function dispatch(argv: string[], context: CliContext): Promise<number> {
  const asksForHelp = beforeDashes(argv).some((word) => word === '--help' || word === '-h');
  const call = asksForHelp ? buildHelpCall(argv) : (findCommandCall(argv) ?? findTopicCall(argv));
  if (call === undefined) {
    const { unknownCommand } = await import('./cli/help/unknown-command.ts');
    const { GUIDE_NAMES } = await import('./cli/help/topics.ts');
    const names = [...Object.keys(COMMANDS), ...GUIDE_NAMES.map((guide) => `help ${guide}`)];
    throw unknownCommand(readLeadingWords(argv).join(' '), names);
  }
  const Command = await COMMANDS[call.name]();
  return Command.start(call.name, call.rest, context);
}

type Call = { readonly name: CommandName; readonly rest: string[] };

/** Finds the command with the most leading words. If a command is also a topic, the next word must be a command. */
function findCommandCall(argv: readonly string[]): Call | undefined {
  if (argv[0] === '--version') return { name: 'version', rest: argv.slice(1) };
  for (let words = Math.min(3, argv.length); words > 0; words--) {
    const name = argv.slice(0, words).join(' ');
    const rest = argv.slice(words);
    const isOver = rest[0] === undefined || rest[0].startsWith('-') || !isTopic(name);
    if (isCommand(name) && isOver) return { name, rest };
  }
  return undefined;
}

function buildHelpCall(argv: readonly string[]): Call {
  const words = findCommandCall(argv)?.name.split(' ') ?? readLeadingWords(argv);
  return { name: 'help', rest: [...words, ...(asksForJson(argv) ? ['--json'] : [])] };
}

function findTopicCall(argv: readonly string[]): Call | undefined {
  const topic = readLeadingWords(argv);
  const isWhole = argv.slice(topic.length).every((word) => word.startsWith('-'));
  return isTopic(topic.join(' ')) && isWhole ? { name: 'help', rest: [...argv] } : undefined;
}

function isTopic(words: string): boolean {
  return words === '' || Object.keys(COMMANDS).some((name) => name.startsWith(`${words} `));
}
