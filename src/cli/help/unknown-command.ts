import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';

const REMOVAL = /^(?:jobs )?(?:delete|remove|rm)$/;
const REMOVES_A_JOB =
  'the service removes no job: `partner jobs close` ends a live one for good; a draft stays, is seen by nobody and costs nothing';

/**
 * The USAGE error for words that name no command: it names the mistyped words, without the arguments behind them, and
 * suggests what is near. Nothing near is ever run.
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
  const list = `\`${['partner help', ...topicOf(given, commands)].join(' ')}\` lists the commands`;
  return new PartnerError('USAGE', {
    message: `there is no command \`partner ${mistyped}\``,
    hint: REMOVAL.test(mistyped) ? REMOVES_A_JOB : near.length > 0 ? didYouMean(near) : list,
  });
}

/** The USAGE error for words that no help is on, with the nearest that there is help on. */
export function unknownHelp(words: string, names: readonly string[]): PartnerError {
  const { mistyped, near } = nearCommands(words.split(' '), names);
  return new PartnerError('USAGE', {
    message: `there is no help on \`${mistyped}\``,
    hint:
      near.length > 0
        ? didYouMean(near.map((name) => `help ${name}`))
        : '`partner help` lists what there is help on',
  });
}

function didYouMean(commands: readonly string[]): string {
  return `did you mean ${commands.map((command) => `\`partner ${command}\``).join(' or ')}?`;
}

/** A command or topic of as many words, or else the commands that end like it, where their topic was left out. */
function nearCommands(given: readonly string[], commands: readonly string[]) {
  const topic = topicOf(given, commands);
  const first = (count: number): string => given.slice(0, count).join(' ');
  const naming = namingWords(given);
  const whole = commands.filter((command) => naming > 0 && command.endsWith(` ${first(naming)}`));
  if (whole.length > 0) return { mistyped: first(naming), near: whole };
  for (let count = naming; count > topic.length; count--) {
    // One word may also be a whole command: `jobs-create`, `jobs:create`.
    const names = [...namesIn(topic, count, commands), ...(count === 1 ? commands : [])];
    const near = nearest(given.slice(topic.length, count).join(' ').replaceAll(':', ' '), names);
    if (near !== undefined) return { mistyped: first(count), near: [[...topic, near].join(' ')] };
  }
  const mistyped = first(topic.length + 1);
  if (topic.length > 0) return { mistyped, near: [] };
  const verb = nearest(mistyped, commands.map(lastWord));
  return { mistyped, near: commands.filter((command) => lastWord(command) === verb) };
}

/** How many of the words may be a command's name: an id or a file is no part of it. */
function namingWords(given: readonly string[]): number {
  const end = given.findIndex((word) => !/^[a-z:_-]+$/i.test(word));
  return Math.min(3, end === -1 ? given.length : end);
}

/** The topics and commands of `count` words in a topic, without the topic's words: those would weigh in the comparison. */
function namesIn(topic: readonly string[], count: number, commands: readonly string[]): string[] {
  const begin = topic.map((word) => `${word} `).join('');
  const names = commands
    .filter((command) => command.startsWith(begin))
    .map((command) => command.split(' ').slice(0, count))
    .filter(({ length }) => length === count);
  return [...new Set(names.map((words) => words.slice(topic.length).join(' ')))];
}

function topicOf(given: readonly string[], commands: readonly string[]): readonly string[] {
  const outside = given.findIndex((_, index) => {
    const topic = given.slice(0, index + 1).join(' ');
    return !commands.some((command) => command.startsWith(`${topic} `));
  });
  return given.slice(0, outside === -1 ? given.length : outside);
}

function lastWord(command: string): string {
  return command.split(' ').at(-1) ?? command;
}
