import type { Interfaces } from '@oclif/core';
import { Config } from '@oclif/core/config';
import { PACKAGE, PACKAGE_ROOT, VERSION } from '../package.ts';

/** oclif's configuration without its plugin loader: the commands are in the bundle. */
export async function oclifConfig(): Promise<Config> {
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
    commands: [],
    commandIDs: [],
    topics: [],
    commandsDir: undefined,
    manifest: { commands: {}, version: VERSION },
    load: async () => {},
    findCommand: async () => undefined,
  } as unknown as Interfaces.Plugin;
  return Config.load({ root: PACKAGE_ROOT, version: VERSION, plugins: new Map([[plugin.name, plugin]]) });
}
