import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { commandsMeantBy, insteadOf } from './synonyms.ts';

/**
 * The USAGE error for words that name no command: it names the mistyped words alone, without the arguments
 * behind them, and says what is near. Nothing near is ever run.
 */
export function unknownCommand(words: string, commands: readonly string[]): PartnerError {
  if (words === '') {
    return new PartnerError('USAGE', {
      message: 'no command is given',
      hint: 'a command comes first, its flags behind it: `partner jobs list --json`; `partner help` lists them all',
    });
  }
  const given = words.split(' ');
  const { mistyped, near } = nearCommands(given, commands);
  return new PartnerError('USAGE', {
    message: `there is no command \`partner ${mistyped}\``,
    hint:
      insteadOf(mistyped, near) ??
      (near.length > 0 ? `did you mean ${near.map(typed).join(' or ')}?` : listing(given, commands)),
  });
}

/** The USAGE error for words that no help is on, with the nearest that there is help on. */
export function unknownHelp(words: string, names: readonly string[]): PartnerError {
  const { mistyped, near } = nearCommands(words.split(' '), names);
  return new PartnerError('USAGE', {
    message: `there is no help on \`${mistyped}\``,
    hint:
      near.length > 0
        ? `did you mean ${near.map((name) => typed(`help ${name}`)).join(' or ')}?`
        : '`partner help` lists what there is help on',
  });
}

interface Near {
  readonly mistyped: string;
  readonly near: readonly string[];
}

/** What a synonym means, a command or topic of as many words as were given, or one whose topic was left out: `publish 12`. */
function nearCommands(given: readonly string[], commands: readonly string[]): Near {
  const topic = topicOf(given, commands);
  const meant = commandsMeantBy(topic, given[topic.length] ?? '', commands);
  if (meant.length > 0) return { mistyped: given.slice(0, topic.length + 1).join(' '), near: meant };
  const inner = topic.length === 0 ? innerCommands(given, commands) : [];
  if (inner.length > 0) return { mistyped: given[0] ?? '', near: inner };
  for (let count = namingWords(given); count > topic.length; count--) {
    // One word may also be a whole command: `jobs-create`, `jobs:create`.
    const names = [...namesIn(topic, count, commands), ...(count === 1 ? commands : [])];
    const near = nearest(given.slice(topic.length, count).join(' ').replaceAll(':', ' '), names);
    const mistyped = given.slice(0, count).join(' ');
    if (near !== undefined) return { mistyped, near: [[...topic, near].join(' ')] };
  }
  const mistyped = given.slice(0, topic.length + 1).join(' ');
  if (topic.length > 0) return { mistyped, near: [] };
  const verb = nearest(mistyped, commands.map(lastWord));
  return { mistyped, near: commands.filter((command) => lastWord(command) === verb) };
}

/** The commands of a topic within a topic, where the outer one was left out: `keys list`. */
function innerCommands(
  [first = '', ...rest]: readonly string[],
  commands: readonly string[],
): readonly string[] {
  const inner = commands.filter((command) => command.split(' ').slice(1, -1).includes(first));
  const [one] = inner;
  if (one === undefined || rest.length === 0) return inner;
  const whole = [...one.split(' ').slice(0, -1), ...rest];
  const named = inner.filter((command) => whole.join(' ').startsWith(command));
  const near = named.length > 0 ? named : nearCommands(whole, commands).near;
  return near.length > 0 ? near : inner;
}

/** How many of the words may be a command's name: an id or a file is no part of it. */
function namingWords(given: readonly string[]): number {
  const end = given.findIndex((word) => !/^[a-z:_-]+$/i.test(word));
  return Math.min(3, end === -1 ? given.length : end);
}

/** The topics and commands of `count` words in a topic, without its own words: those are right, and weigh nothing. */
function namesIn(topic: readonly string[], count: number, commands: readonly string[]): string[] {
  const begin = topic.map((word) => `${word} `).join('');
  const names = commands
    .filter((command) => command.startsWith(begin))
    .map((command) => command.split(' ').slice(0, count))
    .filter(({ length }) => length === count);
  return [...new Set(names.map((words) => words.slice(topic.length).join(' ')))];
}

/** The leading words that begin some command. */
function topicOf(given: readonly string[], commands: readonly string[]): readonly string[] {
  const outside = given.findIndex((_, index) => {
    const topic = given.slice(0, index + 1).join(' ');
    return !commands.some((command) => command.startsWith(`${topic} `));
  });
  return given.slice(0, outside === -1 ? given.length : outside);
}

function listing(given: readonly string[], commands: readonly string[]): string {
  return `\`${['partner help', ...topicOf(given, commands)].join(' ')}\` lists the commands`;
}

function lastWord(command: string): string {
  return command.split(' ').at(-1) ?? command;
}

function typed(command: string): string {
  return `\`partner ${command}\``;
}
