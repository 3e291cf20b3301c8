import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };

/** Typed words, and the last words of the commands that do it: the first that a topic has is meant, or its pair. */
const SYNONYMS = synonyms as [typed: string, meant: string[]][];

const REMOVES_A_JOB =
  'the service removes no job: `partner jobs close` ends a live one for good; a draft stays, is seen by nobody and costs nothing';
const STOPS_ENGINE = '`partner engine serve` runs until Ctrl-C in its own terminal; nothing else runs';

/** The USAGE error for words that name no command, with what is near. Nothing near is ever run. */
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
    hint: insteadOf(mistyped, near) ?? (near.length > 0 ? didYouMean(near) : list),
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

/** What to do instead where a plain "did you mean" would mislead; undefined where it does not. */
function insteadOf(mistyped: string, near: readonly string[]): string | undefined {
  if (mistyped === 'engine stop') return STOPS_ENGINE;
  const isRemoval = /\b(?:delete|rm|remove|del|destroy)$/.test(mistyped) && near.includes('jobs close');
  return isRemoval ? REMOVES_A_JOB : undefined;
}

/** A synonym's commands, a command or topic of as many words, or one whose topic was left out: `publish 12`. */
function nearCommands(given: readonly string[], commands: readonly string[]) {
  const topic = topicOf(given, commands);
  const first = (count: number): string => given.slice(0, count).join(' ');
  const meant = meantBy(topic, given[topic.length] ?? '', commands);
  if (meant.length > 0) return { mistyped: first(topic.length + 1), near: meant };
  const inner = topic.length === 0 ? innerCommands(given, commands) : [];
  if (inner.length > 0) return { mistyped: first(1), near: inner };
  for (let count = namingWords(given); count > topic.length; count--) {
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

/** The commands that `verb` means in `topic`; without a topic those of the jobs come first. */
function meantBy(topic: readonly string[], verb: string, commands: readonly string[]): readonly string[] {
  const meant = SYNONYMS.find(([typed]) => typed.split(' ').includes(verb))?.[1] ?? [];
  const allTopics = commands.map((command) => command.split(' ').slice(0, -1).join(' '));
  const topics = topic.length > 0 ? [topic.join(' ')] : ['jobs', ...new Set(allTopics)];
  for (const name of topics) {
    for (const words of meant) {
      const named = words.includes('auth ') ? [words] : words.split(' ').map((word) => `${name} ${word}`);
      const found = named.filter((command) => commands.includes(command));
      if (found.length > 0) return found;
    }
  }
  return [];
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
