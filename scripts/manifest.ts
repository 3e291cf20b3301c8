import type { Command } from '@oclif/core';
import { COMMANDS } from '../src/commands/index.ts';

/**
 * What help, completion and did-you-mean need to know of every command, so that they load none of them.
 * oclif keeps the same in its manifest; ours holds plain values only.
 */
export async function commandManifest(): Promise<({ id: string } & Record<string, unknown>)[]> {
  return Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => {
      const command = (await load()) as unknown as typeof Command;
      return {
        id: name.replaceAll(' ', ':'),
        summary: command.summary,
        description: command.description,
        examples: command.examples,
        usage: command.usage,
        strict: command.strict,
        aliases: [],
        hiddenAliases: [],
        args: plainParts(command.args),
        flags: plainParts({ ...command.flags, ...command.baseFlags }),
      };
    }),
  );
}

/** Flags or arguments without their functions. */
function plainParts(parts: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      const { shown, ...plain } = JSON.parse(JSON.stringify(part));
      return [name, { ...plain, ...shown, name }];
    }),
  );
}
