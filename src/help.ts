import type { Command } from '@oclif/core';
import { Help } from '@oclif/core/help';
import { commandList } from './command-list.ts';
import { COMMANDS } from './commands/index.ts';
import { PartnerError } from './contract/errors.ts';
import { oclifConfig } from './oclif-config.ts';
import { jsonText } from './ui/json.ts';
import type { Streams } from './ui/streams.ts';

/** Help as oclif lays it out, kept as text: a command line has one place where stdout is written. */
class CollectedHelp extends Help {
  readonly lines: string[] = [];

  protected override log(...parts: string[]): void {
    this.lines.push(parts.join(' '));
  }
}

/** Shows the help of a command, of a topic, or (with no words) of everything. Throws USAGE for none of these. */
export async function showHelp(words: string, asJson: boolean, streams: Streams): Promise<number> {
  const commands = commandList();
  const id = words.replaceAll(' ', ':');
  if (asJson) {
    const below = commands.filter(
      (command) => command.id === id || command.id.startsWith(id === '' ? '' : `${id}:`),
    );
    if (below.length === 0) throw unknownTopic(words);
    await streams.writeOut(jsonText({ items: below }));
    return 0;
  }
  const config = await oclifConfig(
    commands.map((command) => ({ ...command, load: () => loadCommand(command.id) })),
  );
  const help = new CollectedHelp(config, {
    maxWidth: Math.min(streams.columns, 110),
    stripAnsi: !streams.colour,
  });
  if (id !== '' && config.findCommand(id) === undefined && config.findTopic(id) === undefined)
    throw unknownTopic(words);
  await help.showHelp(id === '' ? ['--help'] : [id]);
  await streams.writeOut(`${help.lines.join('\n').trimEnd()}\n`);
  return 0;
}

function unknownTopic(words: string): PartnerError {
  return new PartnerError('USAGE', {
    message: `there is no help about \`${words}\``,
    hint: '`partner help` lists the topics and commands',
  });
}

async function loadCommand(id: string): Promise<Command.Class> {
  const load = COMMANDS[id.replaceAll(':', ' ')];
  if (load === undefined) throw new Error(`no command ${id}`);
  return (await load()).default as unknown as Command.Class;
}
