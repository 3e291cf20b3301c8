import type { Command } from '@oclif/core';
import { FIRST_STEPS, GUIDES, TOPICS } from '../../cli/help/topics.ts';
import { details, paragraph, prose, section, type View } from '../../cli/terminal/view.ts';
import { groupBy } from '../../contract/group-by.ts';
import { PACKAGE } from '../../package.ts';

type Commands = readonly Command.Cached[];

/** The help of everything: the topics, the commands that belong to none, the guides, and where to begin. */
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
      '`partner help TOPIC` lists the commands of a topic, `partner help GUIDE` shows a guide, `partner COMMAND --help` says what a command takes.',
      view,
    ),
  ].join('');
}

/** The help of a topic: what it is for, and its commands. */
export function topicHelp(name: string, about: string, commands: Commands, view: View): string {
  return [
    paragraph(about, view),
    usage([`${name} COMMAND`], view),
    commandSection(commands, view),
    '\n',
    paragraph(`\`partner ${name} COMMAND --help\` says what a command takes.`, view),
  ].join('');
}

/** The help of a command; `below` are the commands of one that is also a topic. */
export function commandHelp(command: Command.Cached, view: View, below: Commands = []): string {
  const name = typed(command);
  const args = Object.values(command.args).map(
    ({ name, description = '' }) => [name.toUpperCase(), description] as const,
  );
  const lines = [`${name} ${usageOf(command)}`.trim(), ...(below.length > 0 ? [`${name} COMMAND`] : [])];
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

/** A command that is not strict takes its last argument several times. */
function usageOf({ usage, args, strict }: Command.Cached): string {
  if (usage !== undefined) return [usage].flat().join(' ');
  const names = Object.values(args).map(({ name, required }) => {
    const shown = `${name.toUpperCase()}${strict === false ? '...' : ''}`;
    return required ? shown : `[${shown}]`;
  });
  return [...names, '[FLAGS]'].join(' ');
}

function commandSection(commands: Commands, view: View): string {
  const rows = commands.map((command) => [typed(command), command.summary ?? ''] as const);
  return section('COMMANDS', list(rows, view), view);
}

/** Groups that help lists first. Other groups follow in the order of their flags. */
const FIRST_GROUPS = ['JOB FIELD FLAGS', 'FLAGS', 'GLOBAL FLAGS'];

function flagSections({ flags }: Command.Cached, view: View): string[] {
  const shown = Object.values(flags).filter(({ hidden }) => !hidden);
  const groups = groupBy(shown, ({ helpGroup }) =>
    helpGroup === undefined ? 'FLAGS' : `${helpGroup} FLAGS`,
  );
  return Array.from(new Set([...FIRST_GROUPS, ...groups.keys()]), (heading) =>
    section(heading, list((groups.get(heading) ?? []).map(flagRow), view), view),
  );
}

/** The values of a closed set, `DAILY|WEEKLY`, go into the text, so that the names need a narrow column only. */
function flagRow(flag: Command.Flag.Cached): [string, string] {
  const takes = flag.type === 'option' ? [flag.helpValue ?? ''].flat().join(' ') : '';
  const choices = takes.includes('|') ? takes.split('|') : [];
  const name = `--${flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''}${flag.name}`;
  const short = flag.char === undefined ? '' : `-${flag.char}, `;
  const about = [
    flag.description ?? '',
    choices.length === 0 ? '' : `: ${choices.join(', ')}`,
    flag.type === 'option' && flag.default !== undefined ? ` (default ${flag.default})` : '',
  ].join('');
  return [`${short}${name} ${choices.length > 0 ? 'VALUE' : takes}`.trimEnd(), about];
}

/** Examples are never wrapped: a broken line cannot be pasted. */
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

function typed({ id }: Command.Cached): string {
  return id.replaceAll(':', ' ');
}
