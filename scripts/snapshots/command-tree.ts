import type { Command } from '@oclif/core';
import { commandManifest } from '../manifest.ts';

/** Every command with its summary, arguments and flags. Hidden flags are listed too, because scripts use them. */
export async function commandTree(): Promise<string> {
  const commands = (await commandManifest()) as unknown as Command.Cached[];
  const isGlobal = ({ helpGroup }: Command.Flag.Cached): boolean => helpGroup === 'GLOBAL';
  const globals = Object.values(commands[0]?.flags ?? {}).filter(isGlobal);
  return [
    ['partner COMMAND', ...globals.map(flagLine)],
    ...commands.map(({ id, summary, args, flags, strict }) => [
      ['partner', ...id.split(':'), ...Object.values(args).map((arg) => argument(arg, strict))].join(' '),
      summary ?? 'no summary',
      ...Object.values(flags)
        .filter((flag) => !isGlobal(flag))
        .map(flagLine),
    ]),
  ]
    .map(([head, ...lines]) => `${[head, ...lines.map((line) => `  ${line}`)].join('\n')}\n`)
    .join('\n');
}

function argument({ name, required }: Command.Arg.Cached, strict: boolean | undefined): string {
  const shown = `${name.toUpperCase()}${strict === false ? '...' : ''}`;
  return required ? shown : `[${shown}]`;
}

function flagLine(flag: Command.Flag.Cached): string {
  const isOption = flag.type === 'option';
  return [
    flag.char === undefined ? '' : `-${flag.char}, `,
    `--${flag.name}`,
    isOption ? ` ${[flag.helpValue ?? 'VALUE'].flat().join(' ')}` : '',
    isOption && flag.multiple ? ', repeatable' : '',
    isOption && flag.default !== undefined ? `, default ${flag.default}` : '',
    flag.required ? ', required' : '',
    flag.hidden ? ', hidden' : '',
  ].join('');
}
