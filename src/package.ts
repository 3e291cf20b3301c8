import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };

/** The folder of the installed package: one above this file, in `src/` as in the bundle under `dist/`. */
export const PACKAGE_ROOT = fileURLToPath(new URL('..', import.meta.url));

export const PACKAGE = manifest;
export const VERSION: string = manifest.version;
