import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg } from '../../cli/flags/flag-values.ts';
import { commandList, GUIDE_NAMES, guideNamed, TOPICS } from '../../cli/help/topics.ts';
import { unknownHelp } from '../../cli/help/unknown-command.ts';
import { markdownText } from '../../cli/terminal/markdown.ts';
import { commandHelp, rootHelp, topicHelp } from './help-view.ts';

export default class Help extends PartnerCommand {
  static override summary = 'Show what there is, a topic, a command or a guide';
  static override examples = [
    'partner help',
    'partner help jobs',
    'partner help jobs create',
    'partner help exit-codes',
    { description: 'For a program', command: 'partner help exit-codes --json' },
  ];
  static override usage = '[TOPIC] [COMMAND] [FLAGS]';
  static override args = { topic: optionalArg('Topic, command or guide (everything if omitted)') };
  static override strict = false;

  protected override async perform(): Promise<Outcome> {
    const { argv } = await this.parse(Help);
    const words = argv as string[];
    const guide = guideNamed(words);
    if (guide === undefined) return this.commandsNamed(words.join(' '));
    return { json: guide, text: () => markdownText(guide.markdown, this.view) };
  }

  private commandsNamed(name: string): Outcome {
    const commands = commandList();
    const id = name.replaceAll(' ', ':');
    const command = commands.find((known) => known.id === id);
    const below = commands.filter((known) => known.id.startsWith(`${id}:`));
    if (command !== undefined) {
      return { json: { items: [command, ...below] }, text: () => commandHelp(command, this.view, below) };
    }
    if (name === '') {
      const json = { items: commands, guides: GUIDE_NAMES };
      return { json, text: () => rootHelp(commands, this.view) };
    }
    const about = TOPICS[name];
    if (about === undefined) {
      const names = commands.map((known) => known.id.replaceAll(':', ' '));
      throw unknownHelp(name, [...names, ...GUIDE_NAMES]);
    }
    return { json: { items: below }, text: () => topicHelp(name, about, below, this.view) };
  }
}
