import { details, paragraph, prose, section } from '../../cli/terminal/blocks.ts';
import type { View } from '../../cli/terminal/view.ts';

/** An argument, as help shows it. */
interface HelpArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
}

/** A flag, as help shows it. */
interface HelpFlag {
  readonly name: string;
  readonly char?: string | undefined;
  readonly description?: string | undefined;
  readonly helpGroup?: string | undefined;
  readonly hidden?: boolean | undefined;
  /** True where `--no-NAME` says the opposite. */
  readonly allowNo?: boolean | undefined;
  readonly default?: unknown;
  /** What it takes; a closed set stands with bars: `DAILY|WEEKLY`. */
  readonly helpValue?: string | string[] | undefined;
}

/** An example: the command line alone, or with what it is for. */
type HelpExample = string | { readonly description: string; readonly command: string };

/** A command, as help shows it. */
export interface HelpCommand {
  readonly id: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  /** What follows the name, where it is not the arguments. */
  readonly usage?: string | string[] | undefined;
  readonly strict?: boolean | undefined;
  readonly examples?: string | readonly HelpExample[] | undefined;
  readonly args: Readonly<Record<string, HelpArgument>>;
  readonly flags: Readonly<Record<string, HelpFlag>>;
}

/** What can be done first, before anything is configured. */
const FIRST_STEPS = [
  ['partner jobs create --title "Night nurse"', 'a draft, on the bundled engine'],
  ['partner jobs list', 'what there is, and how it stands'],
  ['partner auth login', 'from then on the calls go to your server'],
] as const;

/** The help of everything: the topics, the commands that belong to none, the guides, and where to begin. */
export function rootHelp(
  about: string,
  topics: Readonly<Record<string, string>>,
  commands: readonly HelpCommand[],
  guides: Readonly<Record<string, { readonly about: string }>>,
  view: View,
): string {
  const outermost = Object.entries(topics).filter(([name]) => !name.includes(' '));
  return [
    paragraph(about, view),
    usage(['COMMAND'], view),
    section('TOPICS', list(outermost, view), view),
    commandSection(
      commands.filter(({ id }) => !id.includes(':') && !Object.hasOwn(topics, id)),
      view,
    ),
    section('GUIDES', list(guideRows(guides), view), view),
    section('FIRST STEPS', list(FIRST_STEPS, view), view),
    '\n',
    paragraph(
      '`partner help TOPIC` lists the commands of a topic, `partner help GUIDE` shows a guide, `partner COMMAND --help` says what a command takes.',
      view,
    ),
  ].join('');
}

function guideRows(guides: Readonly<Record<string, { readonly about: string }>>) {
  return Object.entries(guides).map(([name, { about }]) => [name, about] as const);
}

/** The help of a topic: what it is for, and its commands. */
export function topicHelp(name: string, about: string, commands: readonly HelpCommand[], view: View): string {
  return [
    paragraph(about, view),
    usage([`${name} COMMAND`], view),
    commandSection(commands, view),
    '\n',
    paragraph(`\`partner ${name} COMMAND --help\` says what a command takes.`, view),
  ].join('');
}

/**
 * The help of a command: what it takes, each flag, and examples that run as they stand; and of one that is also a topic
 * the commands `below` it.
 */
export function commandHelp(command: HelpCommand, view: View, below: readonly HelpCommand[] = []): string {
  const args = Object.values(command.args);
  const lines = [`${spoken(command)} ${usageOf(command, args)}`.trim()];
  if (below.length > 0) lines.push(`${spoken(command)} COMMAND`);
  return [
    paragraph(command.summary ?? '', view),
    usage(lines, view),
    section('DESCRIPTION', indented(command.description ?? '', view), view),
    commandSection(below, view),
    section(
      'ARGUMENTS',
      list(
        args.map(({ name, description = '' }) => [name.toUpperCase(), description]),
        view,
      ),
      view,
    ),
    ...flagSections(
      Object.values(command.flags).filter(({ hidden }) => !hidden),
      view,
    ),
    section('EXAMPLES', exampleLines(command.examples, view), view),
  ].join('');
}

function usage(lines: readonly string[], view: View): string {
  return section('USAGE', lines.map((line) => `  $ partner ${line}\n`).join(''), view);
}

function usageOf(command: HelpCommand, args: readonly HelpArgument[]): string {
  if (command.usage !== undefined) return [command.usage].flat().join(' ');
  return [...args.map((arg) => argumentName(arg, command)), '[FLAGS]'].join(' ');
}

/** A command that is not strict takes its last argument several times. */
function argumentName({ name, required }: HelpArgument, { strict }: HelpCommand): string {
  const shown = `${name.toUpperCase()}${strict === false ? '...' : ''}`;
  return required ? shown : `[${shown}]`;
}

function commandSection(commands: readonly HelpCommand[], view: View): string {
  const rows = commands.map((command) => [spoken(command), command.summary ?? ''] as const);
  return section('COMMANDS', list(rows, view), view);
}

/** The command's own flags, then each group in the order in which it comes first. */
function flagSections(flags: readonly HelpFlag[], view: View): string[] {
  const groups = new Map<string, HelpFlag[]>([['FLAGS', []]]);
  for (const flag of flags) {
    const heading = flag.helpGroup === undefined ? 'FLAGS' : `${flag.helpGroup} FLAGS`;
    groups.set(heading, [...(groups.get(heading) ?? []), flag]);
  }
  return Array.from(groups, ([heading, group]) => section(heading, list(group.map(flagRow), view), view));
}

function flagRow(flag: HelpFlag): [string, string] {
  const takes = [flag.helpValue ?? ''].flat().join(' ');
  const choices = takes.includes('|') ? takes.split('|') : [];
  // A closed set stands in the text, so that the names stay in a narrow column.
  const value = choices.length > 0 ? 'VALUE' : takes;
  const typed = `--${flag.allowNo ? '[no-]' : ''}${flag.name}`;
  const name = `${flag.char === undefined ? '' : `-${flag.char}, `}${typed} ${value}`.trimEnd();
  const about = [
    flag.description ?? '',
    choices.length === 0 ? '' : `: ${choices.join(', ')}`,
    typeof flag.default === 'string' ? ` (default ${flag.default})` : '',
  ].join('');
  return [name, about];
}

/** Examples are never wrapped: a broken line cannot be pasted. */
function exampleLines(examples: HelpCommand['examples'] = [], view: View): string {
  return [examples]
    .flat()
    .map((example) => {
      if (typeof example === 'string') return `  $ ${example}\n`;
      return `${indented(`${example.description}:`, view)}  $ ${example.command}\n`;
    })
    .join('\n');
}

function indented(text: string, view: View): string {
  return prose(text, Number.POSITIVE_INFINITY, view);
}

function list(rows: readonly (readonly [name: string, about: string])[], view: View): string {
  return details(rows, view, 'cyan');
}

function spoken({ id }: HelpCommand): string {
  return id.replaceAll(':', ' ');
}
