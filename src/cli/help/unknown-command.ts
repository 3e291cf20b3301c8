import { PartnerError } from '../../contract/errors.ts';
import { nearest } from '../../text/nearest.ts';
import synonyms from './command-synonyms.json' with { type: 'json' };

/** Maps typed words to command names. The first name that exists in the topic is used. */
const SYNONYMS = synonyms as [typed: string, meant: string[]][];

const REMOVES_A_JOB =
  "jobs can't be deleted. `partner jobs close` closes a live job permanently. Drafts are hidden from candidates and cost nothing";
const STOPS_ENGINE =
  'press Ctrl-C in the terminal of `partner engine serve`. No other engine process runs in the background';

/** Returns the USAGE error for an unknown command, with similar ones. A similar command is never run. */
export function unknownCommand(words: string, commands: readonly string[]): PartnerError {
  if (words === '') {
    return new PartnerError('USAGE', {
      message: 'no command specified',
      hint: 'specify flags after a command, as in `partner jobs list --json`. `partner help` lists the commands',
    });
  }
  const given = words.split(' ');
  const { mistyped, near } = nearCommands(given, commands);
  const list = `\`${['partner help', ...findTopic(given, commands)].join(' ')}\` lists the commands`;
  return new PartnerError('USAGE', {
    message: `unknown command \`partner ${mistyped}\``,
    hint: findAlternative(mistyped, near) ?? (near.length > 0 ? didYouMean(near) : list),
  });
}

export function unknownHelp(words: string, names: readonly string[]): PartnerError {
  const { mistyped, near } = nearCommands(words.split(' '), names);
  return new PartnerError('USAGE', {
    message: `no help for \`${mistyped}\``,
    hint:
      near.length > 0
        ? didYouMean(near.map((name) => `help ${name}`))
        : '`partner help` lists the commands and guides',
  });
}

function didYouMean(commands: readonly string[]): string {
  return `did you mean ${commands.map((command) => `\`partner ${command}\``).join(' or ')}?`;
}

function findAlternative(mistyped: string, near: readonly string[]): string | undefined {
  if (mistyped === 'engine stop') return STOPS_ENGINE;
  const isRemoval = /\b(?:delete|rm|remove|del|destroy)$/.test(mistyped) && near.includes('jobs close');
  return isRemoval ? REMOVES_A_JOB : undefined;
}

/** Finds synonyms, similar commands, or commands whose topic is missing: `publish 12`. */
function nearCommands(given: readonly string[], commands: readonly string[]) {
  const topic = findTopic(given, commands);
  const first = (count: number): string => given.slice(0, count).join(' ');
  const meant = findSynonyms(topic, given[topic.length] ?? '', commands);
  if (meant.length > 0) return { mistyped: first(topic.length + 1), near: meant };
  const inner = topic.length === 0 ? innerCommands(given, commands) : [];
  if (inner.length > 0) return { mistyped: first(1), near: inner };
  const end = given.findIndex((word) => !/^[a-z:_-]+$/i.test(word));
  for (let count = Math.min(3, end === -1 ? given.length : end); count > topic.length; count--) {
    // A single word can also be a whole command: `jobs-create`, `jobs:create`.
    const names = [...listNames(topic, count, commands), ...(count === 1 ? commands : [])];
    const near = nearest(given.slice(topic.length, count).join(' ').replaceAll(':', ' '), names);
    if (near !== undefined) return { mistyped: first(count), near: [[...topic, near].join(' ')] };
  }
  const mistyped = first(topic.length + 1);
  if (topic.length > 0) return { mistyped, near: [] };
  const verbs = commands.map((command) => command.split(' ').at(-1) ?? command);
  const verb = nearest(mistyped, verbs);
  return { mistyped, near: commands.filter((_, at) => verbs[at] === verb) };
}

function findSynonyms(topic: readonly string[], verb: string, commands: readonly string[]) {
  const meant = SYNONYMS.find(([typed]) => typed.split(' ').includes(verb))?.[1] ?? [];
  const allTopics = commands.map((command) => command.split(' ').slice(0, -1).join(' '));
  const topics = topic.length > 0 ? [topic.join(' ')] : ['jobs', ...new Set(allTopics)];
  const named = topics.flatMap((name) =>
    meant.map((words) =>
      words.includes(' ') && commands.includes(words)
        ? [words]
        : words.split(' ').map((word) => `${name} ${word}`),
    ),
  );
  const found = named.map((names) => names.filter((command) => commands.includes(command)));
  return found.find(({ length }) => length > 0) ?? [];
}

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

function listNames(topic: readonly string[], count: number, commands: readonly string[]): string[] {
  const begin = topic.map((word) => `${word} `).join('');
  const names = commands
    .filter((command) => command.startsWith(begin))
    .map((command) => command.split(' ').slice(0, count))
    .filter(({ length }) => length === count);
  return [...new Set(names.map((words) => words.slice(topic.length).join(' ')))];
}

function findTopic(given: readonly string[], commands: readonly string[]): readonly string[] {
  return given.filter((_, index) => {
    const topic = given.slice(0, index + 1).join(' ');
    return commands.some((command) => command.startsWith(`${topic} `));
  });
}
