import type { Command } from '@oclif/core';
import { COMMANDS } from '../src/commands/index.ts';

/**
 * Describes every command, so that help, completion and suggestions don't need to load any. Like oclif's manifest, but
 * with plain values only.
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

/** Removes functions from flags or arguments, which JSON can't contain. */
function plainParts(parts: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      const { shown, ...plain } = JSON.parse(JSON.stringify(part));
      return [name, { ...plain, ...shown, name }];
    }),
  );
}
