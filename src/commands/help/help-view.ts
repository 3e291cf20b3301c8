import type { Command } from '@oclif/core';
import { FIRST_STEPS, GUIDES, TOPICS } from '../../cli/help/topics.ts';
import { details, paragraph, prose, section, type View } from '../../cli/terminal/view.ts';
import { PACKAGE } from '../../package.ts';
import { groupBy } from '../../text/group-by.ts';

type Commands = readonly Command.Cached[];

export function rootHelp(commands: Commands, view: View): string {
  const topics = Object.entries(TOPICS).filter(([name]) => !name.includes(' '));
  const others = commands.filter(({ id }) => !id.includes(':') && !Object.hasOwn(TOPICS, id));
  const guides = Object.entries(GUIDES).map(([name, { about }]) => [name, about] as const);
  return [
    paragraph(PACKAGE.description, view),
    usage(['COMMAND'], view),
    section('TOPICS', list(topics, view), view),
    commandSection(others, view),
    section('GUIDES', list(guides, view), view),
    section('FIRST STEPS', list(Object.entries(FIRST_STEPS), view), view),
    '\n',
    paragraph(
      'Run `partner help TOPIC` for the commands of a topic, `partner help GUIDE` for a guide, and `partner COMMAND --help` for a command.',
      view,
    ),
  ].join('');
}

export function topicHelp(name: string, about: string, commands: Commands, view: View): string {
  return [
    paragraph(about, view),
    usage([`${name} COMMAND`], view),
    commandSection(commands, view),
    '\n',
    paragraph(`Run \`partner ${name} COMMAND --help\` for help on a command.`, view),
  ].join('');
}

/** `below` are the commands of a topic with the same name. */
export function commandHelp(command: Command.Cached, view: View, below: Commands = []): string {
  const name = formatName(command);
  const args = Object.values(command.args).map(
    ({ name, description = '' }) => [name.toUpperCase(), description] as const,
  );
  const lines = [`${name} ${formatUsage(command)}`.trim(), ...(below.length > 0 ? [`${name} COMMAND`] : [])];
  return [
    paragraph(command.summary ?? '', view),
    usage(lines, view),
    section('DESCRIPTION', prose(command.description ?? '', view), view),
    commandSection(below, view),
    section('ARGUMENTS', list(args, view), view),
    ...flagSections(command, view),
    section('EXAMPLES', exampleLines(command.examples, view), view),
  ].join('');
}

function usage(lines: readonly string[], view: View): string {
  return section('USAGE', lines.map((line) => `  $ partner ${line}\n`).join(''), view);
}

/** If a command isn't strict, its last argument is repeatable. */
function formatUsage({ usage, args, strict }: Command.Cached): string {
  if (usage !== undefined) return [usage].flat().join(' ');
  const names = Object.values(args).map(({ name, required }) => {
    const shown = `${name.toUpperCase()}${strict === false ? '...' : ''}`;
    return required ? shown : `[${shown}]`;
  });
  return [...names, '[FLAGS]'].join(' ');
}

function commandSection(commands: Commands, view: View): string {
  const rows = commands.map((command) => [formatName(command), command.summary ?? ''] as const);
  return section('COMMANDS', list(rows, view), view);
}

/** Groups that help lists first. Other groups follow in the order of their flags. */
const FIRST_GROUPS = ['JOB FIELD FLAGS', 'FLAGS'];

function flagSections({ flags }: Command.Cached, view: View): string[] {
  const shown = Object.values(flags).filter(({ hidden }) => !hidden);
  const groups = groupBy(shown, ({ helpGroup }) => [helpGroup, 'FLAGS'].filter(Boolean).join(' '));
  return Array.from(new Set([...FIRST_GROUPS, ...groups.keys()]), (heading) => {
    const rows = (groups.get(heading) ?? []).map((flag) => flagRow(flag, view));
    return section(heading, list(rows, view), view);
  });
}

/** Allowed values go into the description, so that the column of names stays narrow. */
function flagRow(flag: Command.Flag.Cached, view: View): [string, string] {
  const takes = flag.type === 'option' ? [flag.helpValue ?? ''].flat().join(' ') : '';
  const choices = takes.includes('|') ? takes.split('|') : [];
  const name = `--${flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''}${flag.name}`;
  const short = flag.char === undefined ? '' : `-${flag.char}, `;
  const isOption = flag.type === 'option';
  // A variable's name can't be wrapped and has up to 36 characters.
  const hasRoomForEnv = !view.isTerminal || view.columns >= 72;
  const facts = [
    isOption && flag.default !== undefined && `default: ${flag.default}`,
    flag.env !== undefined && hasRoomForEnv && `env: ${flag.env}`,
    isOption && flag.multiple && 'repeatable',
    flag.aliases !== undefined && `also: --${flag.aliases.join(', --')}`,
    flag.required && 'required',
  ].filter(Boolean);
  const about = [
    flag.description ?? '',
    choices.length === 0 ? '' : `: ${choices.join(', ')}`,
    facts.length === 0 ? '' : ` [${facts.join(', ')}]`,
  ].join('');
  return [`${short}${name} ${choices.length > 0 ? 'VALUE' : takes}`.trimEnd(), about];
}

/** Examples are never wrapped, so that they can be pasted. */
function exampleLines(examples: readonly Command.Example[] = [], view: View): string {
  return examples
    .map((example) => {
      if (typeof example === 'string') return `  $ ${example}\n`;
      return `${prose(`${example.description}:`, view)}  $ ${example.command}\n`;
    })
    .join('\n');
}

function list(rows: readonly (readonly [name: string, about: string])[], view: View): string {
  return details(rows, view, 'cyan');
}

function formatName({ id }: Command.Cached): string {
  return id.replaceAll(':', ' ');
}
