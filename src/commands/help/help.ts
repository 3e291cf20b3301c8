import { spawn } from 'node:child_process';
import { type Outcome, PartnerCommand } from '../../cli/base-command.ts';
import { optionalArg } from '../../cli/flags/flag-values.ts';
import { commandList, GUIDE_NAMES, guideNamed, TOPICS } from '../../cli/help/topics.ts';
import { unknownHelp } from '../../cli/help/unknown-command.ts';
import { markdownText } from '../../cli/terminal/markdown.ts';
import { commandHelp, rootHelp, topicHelp } from './help-view.ts';

export default class Help extends PartnerCommand {
  static override summary = 'Show help for a topic, command or guide';
  static override examples = [
    'partner help',
    'partner help jobs',
    'partner help jobs create',
    'partner help exit-codes',
    { description: 'Print a guide as JSON', command: 'partner help exit-codes --json' },
  ];
  static override usage = '[TOPIC] [COMMAND] [FLAGS]';
  static override args = { topic: optionalArg('Topic, command or guide (everything if omitted)') };
  static override strict = false;

  protected override async perform(): Promise<Outcome> {
    const { argv } = await this.parse(Help);
    const words = argv as string[];
    const guide = guideNamed(words);
    if (guide === undefined) return this.commandsNamed(words.join(' '));
    const { env, streams } = this.context;
    const showPage = async (): Promise<string> => {
      const page = markdownText(guide.markdown, this.view);
      return streams.stdoutIsTerminal && (await showInPager(page, env)) ? '' : page;
    };
    return { json: guide, text: showPage };
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

/** Returns false if the pager in `PAGER` can't be started. `less` quits at once if the text fits the screen. */
function showInPager(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [pager = 'less', ...argv] = (env.PAGER || 'less').trim().split(/\s+/);
  return new Promise((resolve) => {
    // Ignores Ctrl-C, because the pager handles it.
    const ignore = () => {};
    process.on('SIGINT', ignore);
    const end = (isShown: boolean): void => {
      process.off('SIGINT', ignore);
      resolve(isShown);
    };
    const stdio = ['pipe', 'inherit', 'inherit'] as const;
    const child = spawn(pager, argv, { stdio: [...stdio], env: { LESS: 'FRX', ...env } });
    child.once('error', () => end(false)).once('close', () => end(true));
    // Ignores write errors, because the user may quit the pager before it has read the whole text.
    child.stdin?.on('error', () => {}).end(text);
  });
}
