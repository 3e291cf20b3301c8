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
    pjson: PACKAGE,
    isRoot: true,
    hooks: {},
    options: { root: PACKAGE_ROOT },
    commands: [],
    topics: [],
    load: async () => {},
  } as unknown as Interfaces.Plugin;
  return Config.load({ root: PACKAGE_ROOT, version: VERSION, plugins: new Map([[plugin.name, plugin]]) });
}
