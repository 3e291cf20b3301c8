import { type Outcome, PartnerCommand } from '../cli/base-command.ts';
import { commandList, guideNamed } from '../cli/help/topics.ts';
import { PACKAGE } from '../package.ts';
import page from './skill.json' with { type: 'json' };

export default class Skill extends PartnerCommand {
  static override summary = 'Print a page about partner for coding assistants';
  static override description =
    'The page describes the most used commands, the exit codes and the commands that spend money. Save it where your assistant looks for skills.';
  static override examples = [
    'partner skill',
    {
      description: 'Save the page as a skill',
      command: 'mkdir -p skills/partner && partner skill > skills/partner/SKILL.md',
    },
  ];

  protected override async perform(): Promise<Outcome> {
    await this.parse(Skill);
    const commands = page.commands.flatMap(
      (name) => commandList().find(({ id }) => id === name.replaceAll(' ', ':')) ?? [],
    );
    const rows = commands.map(({ id, summary, examples: [example] = [] }) => {
      const line = typeof example === 'string' ? example : example?.command;
      return `| \`partner ${id.replaceAll(':', ' ')}\` | ${summary} | \`${line?.replaceAll('|', '\\|')}\` |`;
    });
    const exits = [...(guideNamed(['exit-codes'])?.markdown ?? '').matchAll(/^\| (\d+) \| ([^|]*) \|/gm)];
    const markdown = [
      `---\nname: partner\ndescription: ${PACKAGE.description}\n---\n\n# partner\n\n${page.intro}`,
      `## Commands\n\n| Command | Use | Example |\n|---|---|---|\n${rows.join('\n')}`,
      `${page.more}`,
      `## Money\n\n${page.money.map((line) => `- ${line}`).join('\n')}`,
      `## Exit codes\n\n| Code | Meaning |\n|---|---|\n${exits.map(([, code, meaning]) => `| ${code} | ${meaning} |`).join('\n')}\n`,
    ].join('\n\n');
    return { json: { markdown }, text: () => markdown };
  }
}
