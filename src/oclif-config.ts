import type { Command, Interfaces } from '@oclif/core';
import { Config } from '@oclif/core/config';
import { PACKAGE, PACKAGE_ROOT, VERSION } from './package.ts';

/** A topic, as help lists it. */
const TOPICS: readonly Interfaces.Topic[] = [
  { name: 'jobs', description: 'Check, create, publish, edit, pause, resume and close listings' },
  { name: 'locations', description: 'Find the canonical places a listing may name' },
  { name: 'budgets', description: "Cap what a listing's applicants may cost" },
  { name: 'auth', description: 'Log in to a server and switch between profiles' },
  { name: 'engine', description: 'Run the bundled engine and manage its companies and keys' },
  { name: 'engine:keys', description: 'Issue and revoke partner keys of the bundled engine' },
  { name: 'engine:companies', description: 'Create and list companies of the bundled engine' },
  { name: 'dashboard', description: 'What people settle in the dashboard: terms and payment card' },
];

/**
 * oclif's configuration without its plugin loader: the commands are in the bundle, so nothing has to be
 * searched on disk. A command runs with an empty list; help is given the whole one.
 */
export async function oclifConfig(commands: readonly Command.Loadable[]): Promise<Config> {
  const plugin = {
    name: PACKAGE.name,
    root: PACKAGE_ROOT,
    version: VERSION,
    type: 'core',
    moduleType: 'module',
    pjson: PACKAGE,
    alreadyLoaded: true,
    isRoot: true,
    valid: true,
    hasManifest: true,
    hooks: {},
    options: { root: PACKAGE_ROOT },
    commands: [...commands],
    commandIDs: commands.map((command) => command.id),
    topics: [...TOPICS],
    commandsDir: undefined,
    manifest: { commands: {}, version: VERSION },
    load: async () => {},
    findCommand: async () => undefined,
  } as unknown as Interfaces.Plugin;
  return Config.load({ root: PACKAGE_ROOT, version: VERSION, plugins: new Map([[plugin.name, plugin]]) });
}
