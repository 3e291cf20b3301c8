import * as Args from '@oclif/core/args';
import { type Outcome, PartnerCommand } from '../base-command.ts';
import { commandList } from '../command-line/command-list.ts';
import { TOPICS } from '../command-line/topics.ts';
import { unknownCommand } from '../command-line/unknown-command.ts';
import { PACKAGE } from '../package.ts';
import { commandHelp, rootHelp, topicHelp } from '../ui/views/help.ts';

export default class Help extends PartnerCommand {
  static override summary = 'Show what there is, a topic or a command';
  static override examples = [
    'partner help',
    'partner help jobs',
    'partner help jobs create',
    { description: 'For a program', command: 'partner help jobs --json' },
  ];
  static override usage = '[TOPIC] [COMMAND] [FLAGS]';
  static override args = {
    topic: Args.string({ ignoreStdin: true, description: 'A topic or a command; everything unless given' }),
  };
  static override strict = false;

  protected override async perform(): Promise<Outcome> {
    const { argv } = await this.parse(Help);
    const name = (argv as string[]).join(' ');
    const commands = commandList();
    const id = name.replaceAll(' ', ':');
    const command = commands.find((known) => known.id === id);
    if (command !== undefined) {
      return { json: { items: [command] }, text: () => commandHelp(command, this.view) };
    }
    const below = commands.filter((known) => name === '' || known.id.startsWith(`${id}:`));
    const about = name === '' ? PACKAGE.description : TOPICS[name];
    if (about === undefined) {
      throw unknownCommand(
        name,
        commands.map((known) => known.id.replaceAll(':', ' ')),
      );
    }
    return {
      json: { items: below },
      text: () =>
        name === '' ? rootHelp(about, TOPICS, below, this.view) : topicHelp(name, about, below, this.view),
    };
  }
}
